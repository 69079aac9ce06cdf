"""What known calls of Python do: dotted name -> rule.

A name that begins with `*.` is a method of an object whose class is not known; a class with a
method, `pathlib.Path.unlink`, is one of an object that a known call gave back. `at=-1` is the
object itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.code.deeds import Deed, Rule, rules
from signoff.actions.file_endings import words

PATH = "pathlib.Path"
CALLS: Mapping[str, Rule] = {
    # programs
    **rules(
        Deed.SHELL,
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "commands.getstatusoutput popen2.popen2 asyncio.create_subprocess_shell subprocess.run "
        "subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn "
        "sh.bash invoke.run fabric.run fabric.local IPython.get_ipython.system "
        "get_ipython.system get_ipython.getoutput pexpect.spawn pexpect.run",
        gives="process",
    ),
    **rules(
        Deed.PROGRAM,
        "os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe "
        "asyncio.create_subprocess_exec",
        at=1,
    ),
    **rules(
        Deed.PROGRAM,
        "os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe "
        "os.posix_spawn os.posix_spawnp",
        at=2,
    ),
    "os.startfile": Rule(Deed.PROGRAM),
    "os.posix_spawn": Rule(Deed.PROGRAM, 1),
    "os.posix_spawnp": Rule(Deed.PROGRAM, 1),
    # code
    **rules(
        Deed.EVALUATE,
        "exec eval builtins.exec builtins.eval code.interact runpy.run_module "
        "code.InteractiveInterpreter.runsource timeit.timeit timeit.repeat cProfile.run",
    ),
    "compile": Rule(Deed.INERT, gives="code"),
    "types.FunctionType": Rule(Deed.OPAQUE),
    "types.CodeType": Rule(Deed.OPAQUE),
    **rules(
        Deed.UNPICKLE,
        "pickle.loads pickle.load cPickle.loads dill.loads dill.load marshal.loads joblib.load "
        "cloudpickle.loads shelve.open yaml.unsafe_load torch.load jsonpickle.decode",
    ),
    **rules(
        Deed.LOAD_CODE,
        "ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL runpy.run_path execfile "
        "importlib.util.spec_from_file_location imp.load_source",
    ),
    "importlib.util.spec_from_file_location": Rule(Deed.LOAD_CODE, 1),
    "imp.load_source": Rule(Deed.LOAD_CODE, 1),
    # files
    **rules(Deed.OPEN, "open io.open codecs.open builtins.open os.fdopen gzip.open bz2.open "
            "lzma.open zipfile.ZipFile tarfile.open tarfile.TarFile.open", gives="file"),
    **rules(Deed.READ, "file.add *.add_file"),
    "os.open": Rule(Deed.WRITE),
    **rules(Deed.DELETE, "os.remove os.unlink send2trash.send2trash"),
    **rules(Deed.DELETE_EMPTY, "os.rmdir os.removedirs"),
    **rules(Deed.DELETE_TREE, "shutil.rmtree distutils.dir_util.remove_tree shutil.os.rmtree"),
    **rules(Deed.MAKE, "os.mkdir os.makedirs os.mknod os.mkfifo os.truncate tempfile.mkdtemp"),
    "os.truncate": Rule(Deed.WRITE),
    **rules(Deed.MOVE, "os.rename os.renames os.replace shutil.move"),
    **rules(
        Deed.COPY, "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode "
        "shutil.copystat distutils.dir_util.copy_tree",
    ),
    **rules(Deed.LINK, "os.symlink os.link"),
    **rules(Deed.CHANGE_MODE, "os.chmod os.chown os.lchown os.chflags shutil.chown os.fchmod"),
    **rules(
        Deed.WALK, "os.walk os.listdir os.scandir os.fwalk glob.glob glob.iglob", gives=""
    ),
    **rules(Deed.READ, "linecache.getlines linecache.getline numpy.loadtxt numpy.load "
            "pandas.read_csv pandas.read_json pandas.read_excel pandas.read_parquet "
            "pandas.read_table pandas.read_pickle dotenv.load_dotenv dotenv.dotenv_values "
            "polars.read_csv fileinput.input os.readlink tomllib.load_path configparser.read "
            "sqlite3.connect duckdb.connect"),
    "os.chdir": Rule(Deed.CHANGE_FOLDER),
    "os.chroot": Rule(Deed.PRIVILEGE),
    "shutil.make_archive": Rule(Deed.COPY, 2),
    **rules(Deed.COPY, "shutil.unpack_archive"),
    # paths
    f"{PATH}.unlink": Rule(Deed.DELETE, -1),
    f"{PATH}.rmdir": Rule(Deed.DELETE_EMPTY, -1),
    f"{PATH}.rmtree": Rule(Deed.DELETE_TREE, -1),
    **rules(Deed.WRITE, f"{PATH}.write_text {PATH}.write_bytes {PATH}.touch", at=-1),
    **rules(Deed.READ, f"{PATH}.read_text {PATH}.read_bytes", at=-1),
    f"{PATH}.open": Rule(Deed.OPEN, -1, "file"),
    **rules(Deed.MAKE, f"{PATH}.mkdir", at=-1),
    **rules(Deed.MOVE, f"{PATH}.rename {PATH}.replace {PATH}.move", at=-1),
    **rules(Deed.COPY, f"{PATH}.copy {PATH}.copy_into", at=-1),
    **rules(Deed.CHANGE_MODE, f"{PATH}.chmod {PATH}.lchmod", at=-1),
    **rules(Deed.MAKE, f"{PATH}.symlink_to {PATH}.hardlink_to", at=-1),
    **rules(Deed.WALK, f"{PATH}.iterdir {PATH}.glob {PATH}.rglob {PATH}.walk", at=-1),
    **rules(Deed.DELETE, "*.unlink", at=-1),
    **rules(Deed.DELETE_TREE, "*.rmtree", at=-1),
    **rules(Deed.WRITE, "*.write_text *.write_bytes", at=-1),
    **rules(Deed.READ, "*.read_text *.read_bytes", at=-1),
    **rules(Deed.WRITE, "*.to_csv *.to_json *.to_excel *.to_parquet *.to_pickle *.savefig "
            "*.extractall numpy.save numpy.savetxt *.to_html"),
    # network
    **rules(
        Deed.FETCH,
        "requests.get requests.head requests.options httpx.get httpx.head urllib.request.urlopen "
        "urllib.urlopen urllib2.urlopen urllib3.request aiohttp.get requests.Session.get "
        "httpx.Client.get httpx.stream",
        gives="",
    ),
    **rules(Deed.DOWNLOAD, "urllib.request.urlretrieve urllib.urlretrieve wget.download"),
    **rules(
        Deed.SEND,
        "requests.post requests.put requests.patch requests.delete httpx.post httpx.put "
        "httpx.patch httpx.delete requests.Session.post requests.Session.put "
        "requests.Session.patch requests.Session.delete httpx.Client.post "
        "httpx.Client.put httpx.Client.delete",
    ),
    **rules(
        Deed.REQUEST,
        "requests.request httpx.request requests.Session.request httpx.Client.request "
        "http.client.HTTPSConnection.request http.client.HTTPConnection.request "
        "urllib3.PoolManager.request",
    ),
    **rules(Deed.CONNECT, "socket.create_connection socket.socket.connect "
            "socket.socket.connect_ex telnetlib.Telnet asyncio.open_connection"),
    **rules(Deed.CONNECT, "http.client.HTTPSConnection http.client.HTTPConnection",
            gives="http.client.HTTPSConnection"),
    **rules(Deed.LISTEN, "socket.socket.bind socketserver.TCPServer http.server.HTTPServer "
            "http.server.ThreadingHTTPServer socket.create_server"),
    **rules(Deed.SEND, "socket.socket.send socket.socket.sendall socket.socket.sendto "
            "socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex"),
    **rules(Deed.MAIL, "smtplib.SMTP.sendmail smtplib.SMTP.send_message", at=1),
    **rules(Deed.CONNECT, "smtplib.SMTP smtplib.SMTP_SSL", gives="smtplib.SMTP"),
    **rules(Deed.CONNECT, "ftplib.FTP ftplib.FTP_TLS", gives="ftplib.FTP"),
    **rules(Deed.MAIL, "ftplib.FTP.storbinary ftplib.FTP.storlines paramiko.SSHClient.sftp_put"),
    "paramiko.SSHClient.connect": Rule(Deed.CONNECT),
    "paramiko.SSHClient.exec_command": Rule(Deed.OPAQUE),
    **rules(Deed.SHELL, "*.system *.popen *.check_output *.check_call *.getoutput"),
    **rules(Deed.PROGRAM, "*.execvp *.execv *.execl"),
    **rules(Deed.OPAQUE, "*.__subclasses__ *.__globals__ *.exec_command *.__reduce__"),
    # databases
    **rules(
        Deed.SQL,
        "*.execute *.executemany *.executescript *.exec_driver_sql sqlalchemy.text *.read_sql "
        "pandas.read_sql pandas.read_sql_query duckdb.sql duckdb.query duckdb.execute *.sql",
    ),
    # the process
    **rules(Deed.READ_VARIABLE, "os.getenv os.environ.get os.environ.pop os.getenvb"),
    **rules(Deed.SET_VARIABLE, "os.putenv os.environ.setdefault"),
    "os.kill": Rule(Deed.KILL),
    "os.killpg": Rule(Deed.KILL),
    **rules(Deed.FORK, "os.fork os.forkpty"),
    **rules(Deed.DUPLICATE, "os.dup2"),
    **rules(Deed.PRIVILEGE, "os.setuid os.seteuid os.setgid os.setreuid"),
    # cloud clients
    **rules(Deed.INERT, "boto3.client boto3.resource boto3.Session.client boto3.session.client",
            gives="cloud"),
}  # fmt: skip

# What constructors give back: a class whose methods are known.
MADE: Mapping[str, str] = {
    "socket.socket": "socket.socket", "requests.Session": "requests.Session",
    "requests.session": "requests.Session", "httpx.Client": "httpx.Client",
    "paramiko.SSHClient": "paramiko.SSHClient", "boto3.Session": "boto3.Session",
    "urllib3.PoolManager": "urllib3.PoolManager",
    "http.client.HTTPConnection": "http.client.HTTPSConnection",
}  # fmt: skip

# Modules whose other calls compute and print: nothing outside the snippet is touched.
PURE_MODULES = words(
    "sys math json re string itertools functools collections datetime time random "
    "statistics decimal fractions typing dataclasses enum abc copy pprint textwrap hashlib "
    "hmac base64 binascii struct zlib gzip bz2 lzma codecs unicodedata locale calendar "
    "operator heapq bisect array types inspect ast dis tokenize keyword traceback warnings "
    "contextlib uuid secrets platform sysconfig site getpass os pathlib shutil glob fnmatch "
    "tempfile csv configparser tomllib tomli yaml xml html urllib ipaddress numpy pandas io "
    "logging argparse difflib importlib pkgutil pkg_resources builtins __future__ zoneinfo "
    "cmath numbers queue threading concurrent multiprocessing asyncio subprocess socket ssl "
    "signal errno stat resource gc weakref atexit pickle sqlite3 http email smtplib ftplib "
    "unittest doctest timeit shlex requests httpx torch sklearn matplotlib scipy packaging "
    "attr attrs pydantic rich click fileinput linecache zipfile tarfile select ctypes pwd "
    "grp"
)
BUILTINS = words(
    "print len range sorted sum min max abs round int float str repr bool list dict set "
    "tuple frozenset enumerate zip map filter any all isinstance issubclass type id hash "
    "hex oct bin ord chr bytes bytearray format iter next reversed slice super object "
    "property staticmethod classmethod vars dir callable divmod pow complex memoryview "
    "input help ascii hasattr setattr delattr globals locals exit quit Exception ValueError "
    "TypeError KeyError RuntimeError AssertionError SystemExit OSError StopIteration "
    "NotImplementedError IndexError FileNotFoundError ImportError AttributeError open exec "
    "eval compile getattr __import__ __builtins__ execfile get_ipython"
)
