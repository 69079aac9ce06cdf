"""Records of people in public objects, buckets and containers: everybody may read them.

client.put_object(Bucket="x", Key="patients.csv", Body=rows, ACL="public-read")
conf.set("fs.s3a.acl.default", "PublicRead"); spark.table("payroll").write.parquet("s3a://x/")
container 'sick-notes' { publicAccess: 'Container' }
put(Key="assets/app.css", ACL="public-read")        none: pages of a site are public
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks.functions import functions_of
from signoff.actions.lexicon.private_names import concerns_people, identifies_one
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 20
_FIELDS = 400
_NEAR = 1_500  # characters around what opens
_OPENS = lazy_re2(
    # Amazon and all that speak its language; Hadoop, Spark, Django, rclone, gsutil
    r"[\"'= ](?i:public-?read(?:-?write)?)(?:[\"'\s,;)\]}]|$)|(?i:\bauthenticated-?read[\"'])"
    r"|(?i)\b\w*(?:ACL|AccessControlList|Acl)\w*(?:\.|::|\.type\.)?public_?read(?:_?write)?\b"
    r"|\bacl[\w.]*[\"']?\s*(?:[=:,(]|=>)\s*[\"']?[.:]?public_?read\w*"
    r"|\bBUCKET_ACL_PUBLIC_READ|\bOBJECT_ACL_PUBLIC_READ|--acl-public\b|\bacl_public\b"
    # Google
    r"|\bmake_?public\s*\(|\bpredefined_?(?:default_?object_?)?acl\w*[\"']?\s*[=:(]\s*[\"']?\w*\.?public_?read"
    r"|\bpublicRead\w*[\"']|\bofAllUsers\s*\(|[\"'\s]allUsers\b|\bacl\.all\(\)\.grant_read|\bAllUsers:R\b|\bforAllUsers\b"
    # Azure
    r"|\bPublicAccessType\.(?:Blob\w*|Container)\b|\bpublic_?access\w*[\"']?\s*[=:(]\s*(?:Some\()?(?:\w+(?:\.|::))*[\"']?(?:blob|container)\b"
    r"|\bset_?access_?policy\(\s*[\"'](?:blob|container)|\bcontainer_access_type\s*=\s*[\"'](?:blob|container)"
    r"|\bcreate(?:_if_not_exists|IfNotExists)\w*\([^()\n]{0,40}PublicAccess\w*\.(?:Blob|Container)"
    # Storage layers of frameworks
    r"|\bvisibility[\"']?\s*(?:=>|[:=,(])\s*[\"']?(?:\w+::)*public\b|\bdisk\(\s*[\"']public[\"']\s*\)\s*->\s*(?:put|write|append|prepend)\w*\(|\bset_?visibility\([^()\n]{0,80}[\"']public[\"']|\bVisibility::PUBLIC\b"
    r"|\bfog_public\s*=\s*true|\b(?:put|put_?file\w*|store\w*)\([^;\n]{0,160},\s*[\"']public[\"']\s*\)"
    r"|\bcreate_?bucket\([^;]{0,80}\bpublic[\"']?\s*[:=]\s*true|\banonymous\s+set\s+(?:public|download)"
    r"|\bset_?bucket_?policy\w*\([^;]{0,400}\bPrincipal\W{1,10}(?:AWS\W{1,8})?\*"
)
_WRITES = lazy_re2(
    r"(?i)put|upload|write|save|store|create|copy|set|resource|sync|export|grant|make|\bcp\b|acl|container|bucket"
)
# Pages of a site, and what names nobody.
_FOR_ALL = lazy_re2(
    r"(?i)anonymi[sz]|pseudonym|aggregat|group_?by|statisti|open_?data|redact|masked|synthet|\bfaker?\b|\bdemo\b|\bsample"
    r"|deny|forbid|refus|reject|violation|block_public|\bassert|\bexpect\(|blockpublic|disallow"
)
_STORE = lazy_re2(
    r"(?i)disk|storage|bucket|\bs3\b|flysystem|blob|object_?store|put_?(?:file|object)"
)
_WHOLE_RECORD = lazy_re2(
    r"(?i)(?:->|\.|\b)(?:to_?json|to_?array|json_?encode|serialize|attributes_?to_?array|get_?attributes|to_?csv"
    r"|as_json|model_dump\w*|to_?dict|jsonencode|var_export)!?\s*\("
)
_REMARK = lazy_re2(r"(?m)(?:^|[ \t])(?:#|//|--)[ !][^\n]*$|(?s:/\*.*?\*/)|(?s:\"\"\".*?\"\"\")")
_ASSETS = lazy_re2(r"(?i)/(?:assets?|static|public|www|site|theme|landing|docs?)/")


def public_records(text: str, path: str, before: str = "") -> str:
    """Return what makes records of people readable for everybody, "" if nothing does.

    Args:
        before: the old text of an edit; it tells what the records hold that are written whole.
    """
    head = text[:_READ]
    if _OPENS.search(head) is None:
        return ""
    head = str(_REMARK.sub("", head))
    folder = "/".join(path.rsplit("/", 2)[-2:])
    is_private_file = _is_private(folder) and _ASSETS.search(path) is None
    for one in functions_of(head):
        for match in islice(_OPENS.finditer(one.text), _MOST):
            near = one.text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]
            opens = str(match.group()).strip()
            is_store = "isib" not in opens or _STORE.search(near) is not None
            is_open = is_store and _FOR_ALL.search(near) is None
            is_record = _WHOLE_RECORD.search(near) is not None and _is_private(before)
            if is_open and (is_private_file or is_record or _is_private(near)):
                return opens
    return ""


def _is_private(text: str) -> bool:
    return concerns_people(text) or identifies_one(text)
