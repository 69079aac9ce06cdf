"""What comes from a caller and is obeyed: commands behind a word, uploads, statements.

A message that begins with a word of the source is handed to a shell, a file that was sent is
started, a text of a request is the whole statement of a database. `back_doors` reads commands that
are values of a request by name; here the way is longer.

    if text.startsWith("/x ") { sh(text.slice(3)) }               a command behind a word
    f.save(path); subprocess.Popen([sys.executable, path])        an upload is started
    const q = req.query.q; db.query(q)                            a whole statement
    db.query("SELECT * FROM t WHERE id = $1", [req.query.id])     none
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.callers.parts import STARTS, VALUE
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 24
_NEAR = 420
_WORD_FIRST = lazy_re2(
    r"\b(?P<name>[A-Za-z_][\w.>-]{0,50}?)\s*(?:\.|->)(?:starts_?[wW]ith|StartsWith|start_with\?|hasPrefix)\s*\(\s*[\"'`][^\"'`\n]{1,40}[\"'`]\s*\)"
    r"|\b(?:HasPrefix|str_starts_with|String\.starts_with\?)\(\s*\$?(?P<other>[A-Za-z_][\w.>-]{0,50}?)\s*,\s*[\"'][^\"'\n]{1,40}[\"']\s*\)"
)
_CUT = (
    r"(?:\.(?:slice|substr\w*|strip\w*|trim\w*|split|removePrefix|removeprefix|drop\w*|remove|get|chars)\b|\[|::substr"
    r"|->slice|\)?\.dropFirst)"
)
_SAVED = lazy_re2(
    r"\b\w+\.(?:save|move_?to|mv|transferTo|SaveAs)\(\s*(?P<path>[^;\n]{1,120})"
    r"|\bFile\.(?:Create|OpenWrite)\(\s*(?P<created>\w{1,40})\s*\)[^\n]{0,60}\n?[^\n]{0,40}?CopyTo"
    r"|\bmove_uploaded_file\([^,\n]{1,80},\s*(?P<moved>[^;\n]{1,80})"
)
_UPLOADS = lazy_re2(
    r"(?i)request\.files|req\.files?\b|FileField|UploadFile|IFormFile|MultipartFile|move_uploaded_file|params\[:\w*file|multer|\.filename\b|\.FileName\b"
)
_NAME = lazy_re2(r"[A-Za-z_]\w{1,40}")
_LIBRARIES = (
    r"(?:Assembly\.Load(?:From|File)|System\.load|dlopen|importlib\.\w+|runpy\.run_path"
    r"|load_dynamic)"
)
# What stands before the name of a file that is started: an interpreter, a folder.
_BEFORE_NAME = (
    r"\s*\(\s*(?:\[\s*)?(?:sys\.executable\s*,\s*)?(?:[\"'][^\"'\n]{0,30}[\"']\s*\+\s*)?(?:str\()?"
)
_RUNS_SQL = (
    r"(?:\$(?:queryRawUnsafe|executeRawUnsafe)|\b(?:db|conn|connection|cursor|cur|pool|pg|client|sequelize|knex|session"
    r"|entityManager|em|jdbcTemplate|jdbc|stmt|database|sql|sqlite|dbh|pdo|mysqli)(?:\.|->)(?:exec\w*|query\w*|run|raw|all"
    r"|prepare|do|createNativeQuery|ExecuteSqlRaw\w*|FromSqlRaw)|\bFromSqlRaw|\bExecuteSqlRaw\w*|\bRepo\.query!?)"
)
_WHOLE = lazy_re2(
    r"(?m)(?:^|[\s;({])(?:const|let|var|val|my|String|string)?\s*\$?(?P<name>[A-Za-z_]\w{0,40})\s*(?::\s*\w+\s*)?(?::=|=)\s*"
    rf"(?:await\s+)?(?:String\(|str\()?{VALUE}"
)
_DIRECT = lazy_re2(rf"{_RUNS_SQL}\(\s*(?:await\s+)?{VALUE}")
_TEMPLATE = lazy_re2(
    rf"(?:\bERB\.new|\brender_template_string|\bTemplate|\bfrom_string|\bEEx\.eval_string|\bCode\.eval_string|\bHandlebars\.compile"
    rf"|\b(?:pug|ejs|nunjucks)\.(?:render|compile|renderString)|\bcreateTemplate|\btwig->createTemplate)\(\s*{VALUE}"
)
_TAKEN_BY_ARROW = lazy_re2(
    r"\[\s*(?P<name>\w{1,40})[^\]\n]{0,30}\]\s*<-\s*get_req_header\(|\bwith\s+(?P<other>\w{1,40})\s+when[^\n]{0,60}<-\s*conn\."
)
_DESERIALIZES = lazy_re2(
    r"(?:\bnew\s+(?:[\w.]+\.)?(?:BinaryFormatter|NetDataContractSerializer|LosFormatter|SoapFormatter)\s*\(\s*\)\s*\.Deserialize\("
    rf"|(?:\bthaw|\bMarshal\.load|\bpickle\.loads?|\bunserialize|\bdill\.loads?|\bjsonpickle\.decode|\bcloudpickle\.loads?|:erlang\.binary_to_term)\(\s*{VALUE})"
)


def obeyed(text: str) -> str:
    """Return what runs a command, a file or a statement that a caller sent, "" if nothing does."""
    head = text[:_READ]
    if (found := _TEMPLATE.search(head)) is not None:
        return str(found.group())
    return _behind_a_word(head) or _upload_started(head) or _evaluated(head)


def whole_statement(text: str) -> str:
    """Return the call that gives a database a caller's text as the whole statement, "" if none."""
    head = text[:_READ]
    if (found := _DIRECT.search(head)) is not None:
        return str(found.group())
    names = {str(match.group("name")) for match in islice(_WHOLE.finditer(head), _MOST)}
    if not names:
        return ""
    called = re2.search(rf"{_RUNS_SQL}\(\s*\$?\b(?:{'|'.join(sorted(names))})\b\s*[,)]", head)
    return str(called.group()) if called is not None else ""


def deserialized(text: str) -> str:
    """Return the call that makes objects of what a caller sent, "" if there is none."""
    found = _DESERIALIZES.search(text[:_READ])
    return str(found.group()) if found is not None else ""


def _behind_a_word(text: str) -> str:
    for match in islice(_WORD_FIRST.finditer(text), _MOST):
        name = str(match.group("name") or match.group("other"))
        near = text[match.end() : match.end() + _NEAR]
        runs = rf"{STARTS}[^;\n]{{0,60}}?\$?\b{re2.escape(name)}{_CUT}"
        if (found := re2.search(runs, near)) is not None:
            return str(found.group())
    return ""


def _upload_started(text: str) -> str:
    """The start of a file that was saved from a request, under the name it was saved by."""
    if _UPLOADS.search(text) is None:
        return ""
    for match in islice(_SAVED.finditer(text), _MOST):
        path = next((str(one) for one in match.groups() if one), "")
        names = [
            str(one)
            for one in _NAME.findall(path)
            if str(one) not in ("str", "Path", "os", "path", "join")
        ]
        if not names:
            continue
        any_of = "|".join(re2.escape(name) for name in dict.fromkeys(names[:6]))
        starts = rf"(?:{STARTS}|{_LIBRARIES}){_BEFORE_NAME}\b(?:{any_of})\b"
        if (found := re2.search(starts, text)) is not None:
            return str(found.group())
    return ""


def _evaluated(text: str) -> str:
    """The call that runs what Elixir took out of a request by an arrow."""
    for match in islice(_TAKEN_BY_ARROW.finditer(text), _MOST):
        name = next(str(one) for one in match.groups() if one)
        if (found := re2.search(rf"(?:{STARTS}|Code\.eval_\w+)\(\s*{name}\b", text)) is not None:
            return str(found.group())
    return ""
