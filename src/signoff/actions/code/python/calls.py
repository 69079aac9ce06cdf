"""What known calls of Python do: dotted name -> rule.

A name that begins with `*.` is a method of an object whose class is not known; a class with a
method, `pathlib.Path.unlink`, is one of an object that a known call gave back. `at=-1` is the
object itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.code.sinks import CallRule, Sink, rules
from signoff.actions.vocabulary import words

PATH = "pathlib.Path"
CALLS: Mapping[str, CallRule] = {
    # programs
    **rules(
        Sink.SHELL,
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "commands.getstatusoutput popen2.popen2 asyncio.create_subprocess_shell subprocess.run "
        "subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn "
        "sh.bash invoke.run fabric.run fabric.local IPython.get_ipython.system "
        "get_ipython.system get_ipython.getoutput pexpect.spawn pexpect.run",
        gives="process",
    ),
    **rules(
        Sink.PROGRAM,
        "os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe "
        "asyncio.create_subprocess_exec",
        at=1,
    ),
    **rules(
        Sink.PROGRAM,
        "os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe "
        "os.posix_spawn os.posix_spawnp",
        at=2,
    ),
    "os.startfile": CallRule(Sink.PROGRAM),
    "os.posix_spawn": CallRule(Sink.PROGRAM, 1),
    "os.posix_spawnp": CallRule(Sink.PROGRAM, 1),
    # code
    **rules(
        Sink.EVALUATE,
        "exec eval builtins.exec builtins.eval code.interact runpy.run_module "
        "code.InteractiveInterpreter.runsource timeit.timeit timeit.repeat cProfile.run",
    ),
    "compile": CallRule(Sink.INERT, gives="code"),
    "types.FunctionType": CallRule(Sink.OPAQUE),
    "types.CodeType": CallRule(Sink.OPAQUE),
    **rules(
        Sink.UNPICKLE,
        "pickle.loads pickle.load cPickle.loads dill.loads dill.load marshal.loads joblib.load "
        "cloudpickle.loads cloudpickle.load shelve.open yaml.unsafe_load torch.load "
        "jsonpickle.decode pandas.read_pickle keras.models.load_model "
        "tensorflow.keras.models.load_model",
    ),
    **rules(
        Sink.LOAD_CODE,
        "ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL runpy.run_path execfile "
        "importlib.util.spec_from_file_location imp.load_source",
    ),
    "importlib.util.spec_from_file_location": CallRule(Sink.LOAD_CODE, 1),
    "imp.load_source": CallRule(Sink.LOAD_CODE, 1),
    # files
    **rules(Sink.OPEN, "open io.open codecs.open builtins.open os.fdopen gzip.open bz2.open "
            "lzma.open zipfile.ZipFile tarfile.open tarfile.TarFile.open", gives="file"),
    **rules(Sink.READ, "file.add *.add_file"),
    "os.open": CallRule(Sink.WRITE),
    **rules(Sink.DELETE, "os.remove os.unlink send2trash.send2trash"),
    **rules(Sink.DELETE_EMPTY, "os.rmdir os.removedirs"),
    **rules(Sink.DELETE_TREE, "shutil.rmtree distutils.dir_util.remove_tree shutil.os.rmtree"),
    **rules(Sink.MAKE, "os.mkdir os.makedirs os.mknod os.mkfifo os.truncate tempfile.mkdtemp"),
    "os.truncate": CallRule(Sink.WRITE),
    **rules(Sink.MOVE, "os.rename os.renames os.replace shutil.move"),
    **rules(
        Sink.COPY, "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode "
        "shutil.copystat distutils.dir_util.copy_tree",
    ),
    **rules(Sink.LINK, "os.symlink os.link"),
    **rules(Sink.CHANGE_MODE, "os.chmod os.chown os.lchown os.chflags shutil.chown os.fchmod"),
    **rules(
        Sink.WALK, "os.walk os.listdir os.scandir os.fwalk glob.glob glob.iglob", gives=""
    ),
    **rules(Sink.READ, "linecache.getlines linecache.getline numpy.loadtxt numpy.load "
            "pandas.read_csv pandas.read_json pandas.read_excel pandas.read_parquet "
            "pandas.read_table dotenv.load_dotenv dotenv.dotenv_values "
            "polars.read_csv fileinput.input os.readlink tomllib.load_path configparser.read"),
    **rules(Sink.READ, "sqlite3.connect duckdb.connect", gives="database"),
    "os.chdir": CallRule(Sink.CHANGE_FOLDER),
    "os.chroot": CallRule(Sink.PRIVILEGE),
    "shutil.make_archive": CallRule(Sink.COPY, 2),
    **rules(Sink.COPY, "shutil.unpack_archive"),
    # paths
    f"{PATH}.unlink": CallRule(Sink.DELETE, -1),
    f"{PATH}.rmdir": CallRule(Sink.DELETE_EMPTY, -1),
    f"{PATH}.rmtree": CallRule(Sink.DELETE_TREE, -1),
    **rules(Sink.WRITE, f"{PATH}.write_text {PATH}.write_bytes {PATH}.touch", at=-1),
    **rules(Sink.READ, f"{PATH}.read_text {PATH}.read_bytes", at=-1),
    f"{PATH}.open": CallRule(Sink.OPEN, -1, "file"),
    **rules(Sink.MAKE, f"{PATH}.mkdir", at=-1),
    **rules(Sink.MOVE, f"{PATH}.rename {PATH}.replace {PATH}.move", at=-1),
    **rules(Sink.COPY, f"{PATH}.copy {PATH}.copy_into", at=-1),
    **rules(Sink.CHANGE_MODE, f"{PATH}.chmod {PATH}.lchmod", at=-1),
    **rules(Sink.MAKE, f"{PATH}.symlink_to {PATH}.hardlink_to", at=-1),
    **rules(Sink.WALK, f"{PATH}.iterdir {PATH}.glob {PATH}.rglob {PATH}.walk", at=-1),
    **rules(Sink.DELETE, "*.unlink", at=-1),
    **rules(Sink.DELETE_TREE, "*.rmtree", at=-1),
    **rules(Sink.WRITE, "*.write_text *.write_bytes", at=-1),
    **rules(Sink.READ, "*.read_text *.read_bytes", at=-1),
    **rules(Sink.WRITE, "*.to_csv *.to_json *.to_excel *.to_parquet *.to_pickle *.savefig "
            "*.extractall numpy.save numpy.savetxt *.to_html"),
    # network
    **rules(
        Sink.FETCH,
        "requests.get requests.head requests.options httpx.get httpx.head urllib.request.urlopen "
        "urllib.urlopen urllib2.urlopen urllib3.request aiohttp.get requests.Session.get "
        "httpx.Client.get httpx.stream",
        gives="",
    ),
    **rules(Sink.DOWNLOAD, "urllib.request.urlretrieve urllib.urlretrieve wget.download"),
    **rules(
        Sink.SEND,
        "requests.post requests.put requests.patch requests.delete httpx.post httpx.put "
        "httpx.patch httpx.delete requests.Session.post requests.Session.put "
        "requests.Session.patch requests.Session.delete httpx.Client.post "
        "httpx.Client.put httpx.Client.delete",
    ),
    **rules(
        Sink.REQUEST,
        "requests.request httpx.request requests.Session.request httpx.Client.request "
        "http.client.HTTPSConnection.request http.client.HTTPConnection.request "
        "urllib3.PoolManager.request",
    ),
    **rules(Sink.CONNECT, "socket.create_connection socket.socket.connect "
            "socket.socket.connect_ex telnetlib.Telnet asyncio.open_connection"),
    **rules(Sink.CONNECT, "http.client.HTTPSConnection http.client.HTTPConnection",
            gives="http.client.HTTPSConnection"),
    **rules(Sink.LISTEN, "socket.socket.bind socketserver.TCPServer http.server.HTTPServer "
            "http.server.ThreadingHTTPServer socket.create_server"),
    **rules(Sink.SEND, "socket.socket.send socket.socket.sendall socket.socket.sendto "
            "socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex"),
    **rules(Sink.MAIL, "smtplib.SMTP.sendmail smtplib.SMTP.send_message", at=1),
    **rules(Sink.CONNECT, "smtplib.SMTP smtplib.SMTP_SSL", gives="smtplib.SMTP"),
    **rules(Sink.CONNECT, "ftplib.FTP ftplib.FTP_TLS", gives="ftplib.FTP"),
    **rules(Sink.MAIL, "ftplib.FTP.storbinary ftplib.FTP.storlines paramiko.SSHClient.sftp_put"),
    "paramiko.SSHClient.connect": CallRule(Sink.CONNECT),
    "paramiko.SSHClient.exec_command": CallRule(Sink.SHELL),
    **rules(Sink.SHELL, "*.system *.popen *.check_output *.check_call *.getoutput "
            "*.exec_command"),
    **rules(Sink.PROGRAM, "*.execvp *.execv *.execl"),
    **rules(Sink.OPAQUE, "*.__subclasses__ *.__globals__ *.__reduce__"),
    # databases
    **rules(
        Sink.SQL,
        "*.execute *.executemany *.executescript *.exec_driver_sql sqlalchemy.text *.read_sql "
        "pandas.read_sql pandas.read_sql_query duckdb.sql duckdb.query duckdb.execute *.sql",
    ),
    # the process
    **rules(Sink.STORED_SECRET, "keyring.get_password keyring.get_credential"),
    **rules(Sink.READ_VARIABLE, "os.getenv os.environ.get os.environ.pop os.getenvb"),
    **rules(Sink.SET_VARIABLE, "os.putenv os.environ.setdefault"),
    "os.kill": CallRule(Sink.KILL),
    "os.pidfd_open": CallRule(Sink.KILL),
    "sys.remote_exec": CallRule(Sink.KILL),
    "os.killpg": CallRule(Sink.KILL),
    **rules(Sink.FORK, "os.fork os.forkpty"),
    **rules(Sink.DUPLICATE, "os.dup2"),
    **rules(Sink.PRIVILEGE, "os.setuid os.seteuid os.setgid os.setreuid"),
    # cloud clients
    **rules(Sink.INERT, "boto3.client boto3.Session.client boto3.session.client", gives="cloud"),
    **rules(Sink.INERT, "boto3.resource boto3.Session.resource", gives="cloud-resource"),
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
