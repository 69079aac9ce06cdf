"""The daemon without what protects the inbox's origin: what the attacks must get through.

The inbox has the same host name at each start and listens on IPv4 only, its pages take any server
for the daemon, a cookie outlives its daemon, and signing in clears nothing.
"""

UNPROTECTED = r"""
from signoff.frontends.server import serve
from signoff.frontends.web import drawing, origin
from signoff.frontends.web.sign_ins import visitors
from signoff.frontends.web.pages import sign_in

def replaced(text, old, new):
    if old not in text:
        raise SystemExit(f"there is no {old!r} to switch off")
    return text.replace(old, new)

make = origin.WebOrigin.__init__
def fixed(self, port, **given):
    make(self, port, **given)
    self.host = f"localhost:{port}"
    self.cookie = "signoff_web"
    self.hosts = frozenset({self.host.encode()})
origin.WebOrigin.__init__ = fixed

trusting = drawing.static_files()
script = trusting["inbox.js"]
text = script.content.decode()
proven = "async function isProven(isQuiet = false) {"
text = replaced(text, proven, f"{proven} return true;")
text = replaced(text, "if (navigator.serviceWorker?.controller) {", "if (false) {")
drawing.static_files.cache_clear()
files = {**trusting, "inbox.js": drawing.StaticFile(content=text.encode(), kind=script.kind)}
drawing.static_files = lambda: files
from signoff.frontends.web import site
site.static_files = drawing.static_files
sign_in.CLEARED = ""
serve.LOOPBACKS = serve.LOOPBACKS[:1]

find = visitors.Visitors.find
anybody = dict(approver="owner", made_by="owner", token=b"", since_s=0.0, seen_s=0.0)
visitors.Visitors.find = lambda self, cookie: find(self, cookie) or (
    visitors.Visitor(**anybody) if cookie else None
)

from signoff.__main__ import main
main()
"""
