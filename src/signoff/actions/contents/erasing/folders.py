"""Folders that code erases and that are not its own, with one step from a caller to its helper.

    def clear(p): shutil.rmtree(p)
    clear(Path.home() / "Documents")      "clear a broad part of a home folder"

What an age, a name or a dry run chooses is left alone, and so is a home that a test made itself.
"""

from __future__ import annotations

from signoff.actions.contents.erasing.deletions import DELETES, Deletion, deletions_in
from signoff.actions.contents.erasing.symbolic import Paths
from signoff.actions.contents.erasing.targets import ProjectPlace, target_of
from signoff.actions.vocabulary import lazy_re2

TOO_INTRICATE = "deletes by names that are too intricate to follow"
_READ = 40_000  # characters
# Without one of these no path that is told here can be named.
_TELLING = lazy_re2(
    r"(?i)home|user_?profile|/users\b|users[\\\"'/]|\.git\b|specialfolder|qstandardpaths"
    r"|[\"'`]/[\"'`*]|[\"'`](?:[A-Z]:)?[\\/]{1,2}"
    r"(?:etc|usr|var|opt|srv|boot|root|windows|library|system|applications)\b|backup|back-up"
    r"|sicherung|respaldo|sauvegarde|copia|zaloh"
    r"|kopi|yedek|varmuus|cadangan|nakala|snapshot|dirname|\.\./\.\.|base_path"
)
_COMMENT = lazy_re2(
    r"(?ms)^[ \t]*(?://|#|\*|--|%|;;)[^\n]*$|/\*.*?\*/|^[ \t]*\"{3}.*?\"{3}|^[ \t]*'{3}.*?'{3}"
)
# That a thing is there is no choice among many.
_IS_THERE = lazy_re2(
    r"(?im)^[^\n]*\b(?:if|unless|when|while)\b[^\n]*(?:exist|is_?dir|is_?file|is_?directory"
    r"|is_?regular|\bopen\s*\(|\bnull\b|\bnil\b|\berr\b"
    r"|\bnone\b|not_?found|file_?system_?entity|\s-[defw]\s|readable|writable|symlink|canread"
    r"|has_?next)[^\n]*"
    r"(?:\n\s*(?:continue|return|next)\b[^\n]*)?"
)
_CHOOSES = lazy_re2(
    r"(?i)\bif\b|\bunless\b|\bwhere\b|\bwhen\b|filter|older|cutoff|retention|\bkeep|expire"
    r"|\[\s*:?-?\d|\bskip\b"
    r"|\.slice\(|\blimit\b|\bprefix\b|continue\b|\btest|\btmp|\btemp|orphan|stale|failed|\bdry"
    r"|select|reject|grep\b|endswith|ends_with"
)
_ENCRYPTS = lazy_re2(
    r"(?i)\b\w*(?:encrypt|encipher|aes_?gcm|aes_?cbc|chacha20|fernet|secretbox|crypto_box|cifrar"
    r"|verschluessel|verschlussel"
    r"|chiffr|szyfr|krypter|cripta|sifrele)\w*\s*[(:.]"
)
_OWN_HOME = lazy_re2(
    r"(?i)(?:set_?env|putenv|setproperty|environ\[|\benv\[|env\.|stub_?env|stub|patch\w*|mock\w*"
    r"|spyon|usefakehome|isolated_filesystem|withenv|with_envvar|local\s+\$env)"
    r"[^\n]{0,60}(?:[\"'.]home\b|user\.home|userprofile|homedir|user_?home_?dir"
    r"|home_dir)[^\n]{0,12}(?:=[^=]|,|\))|fake_?home|temp_?home|tmp_?home|test_?home"
)
_PLAYS = lazy_re2(
    r"(?i)\bmock|\bpatch\b|\bstub|\bspy|memfs|fake_?fs|pyfakefs|jimfs|afero\.|\braises\b|tothrow"
    r"|assert_?throws|should_?panic|in_?memory"
    r"|\bsandbox\b|\bchroot\b|assert_?raise|rejects\."
)
_OWN_REPOSITORY = lazy_re2(
    r"(?i)git[\"',\s\[]{1,6}(?:init|clone)\b|\bchdir\b|\.init\(|clone_from|cookiecutter|scaffold"
    r"|template|\bcopier\b|degit|mkdtemp"
    r"|PlainInit|Repository\.init|git_?init|starter|boilerplate|pushd|set_current_dir"
)
_FILLS_AGAIN = lazy_re2(
    r"(?i)copy_?tree|copy_?dir|cp_r\b|\bcopy\w*\(|rsync|dir_copy|\bcp\(|mirror|archive|tar\b"
)


def erased_folder(text: str, project: ProjectPlace, *, is_test: bool) -> str:
    """Return the line that erases a folder which is not the project's own, "" if none does.

    `TOO_INTRICATE` if its names could not be followed to their end.
    """
    head = text[:_READ]
    if _TELLING.search(head) is None or DELETES.search(head) is None:
        return ""
    if is_test and _PLAYS.search(head) is not None:
        return ""
    head = code_in(head)
    paths: Paths | None = None
    for one in deletions_in(head, has_lines=not is_test):
        paths = paths or Paths(head)
        if _is_grave(one, paths, head, project):
            return one.line
    return TOO_INTRICATE if paths is not None and paths.is_spent else ""


def code_in(text: str) -> str:
    """Return a text without its comments."""
    return str(_COMMENT.sub("", text[:_READ]))


def _is_grave(one: Deletion, paths: Paths, text: str, project: ProjectPlace) -> bool:
    for path, since in paths.of(one.said, one.at).items():
        target = target_of(path, project)
        if not target or (not one.is_tree and "*" not in path):
            continue
        if not _is_own(target, text) and not _is_chosen(path, since, one, text, target):
            return True
    return False


def _is_own(target: str, text: str) -> bool:
    """Whether the code made what it erases: a home of its own, a repository, a copy it renews."""
    if "home" in target or "users" in target:
        return _OWN_HOME.search(text) is not None
    if "repository" in target:
        return _OWN_REPOSITORY.search(text) is not None
    return target == "backups" and _FILLS_AGAIN.search(text) is not None


def _is_chosen(path: str, since: int, one: Deletion, text: str, target: str) -> bool:
    """Whether an age, a name or a dry run chooses among what is listed."""
    if "*" not in path or target == "the whole disk":
        return False
    start = min(since if since >= 0 else one.at, one.at)
    end = text.find("\n", one.at)
    between = text[text.rfind("\n", 0, start) + 1 : end if end >= 0 else len(text)]
    if _ENCRYPTS.search(between) is not None:
        return False
    return _CHOOSES.search(_IS_THERE.sub("", between)) is not None
