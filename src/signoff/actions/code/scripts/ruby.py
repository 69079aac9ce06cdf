"""Ruby."""

from __future__ import annotations

import base64
import binascii

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN, Taint, Value
from signoff.actions.vocabulary import lazy_re, words

GRAMMAR = Grammar(
    comments=("#",),
    blocks=(("\n=begin", "\n=end"),),
    quotes={"'": TokenKind.TEXT, '"': TokenKind.WOVEN, "`": TokenKind.SHELL},
    quote_words={
        "%x": TokenKind.SHELL, "%q": TokenKind.TEXT, "%Q": TokenKind.WOVEN, "%w": TokenKind.WORDS,
        "%W": TokenKind.WORDS,
        "%r": TokenKind.PATTERN, "%i": TokenKind.WORDS,
    },
    has_patterns=True,
    has_heredocs=True,
)  # fmt: skip
CALLS = {
    **rules(Sink.SYSTEM, "system exec spawn Kernel.system Kernel.exec Kernel.spawn "
            "Process.spawn Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 "
            "Open3.popen2 PTY.spawn Process.exec"),
    **rules(Sink.SHELL, "IO.popen Kernel.` IO.pipe_command"),
    **rules(Sink.EVALUATE, "eval instance_eval class_eval module_eval Kernel.eval binding.eval "
            "*.instance_eval *.class_eval RubyVM.InstructionSequence.compile"),
    **rules(Sink.OPAQUE, "Marshal.load"),
    **rules(Sink.LOAD_CODE, "load Fiddle.dlopen require_relative"),
    **rules(Sink.DELETE, "File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove "
            "FileUtils.safe_unlink rm rm_f"),
    **rules(Sink.DELETE_TREE, "FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree rm_rf rm_r "
            "FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure "
            "FileUtils.safe_rm_rf"),
    **rules(Sink.DELETE_EMPTY, "Dir.rmdir Dir.delete Dir.unlink FileUtils.rmdir"),
    **rules(Sink.WRITE, "File.write IO.write File.binwrite File.truncate FileUtils.touch"),
    **rules(Sink.READ, "File.read IO.read File.readlines IO.readlines File.binread File.foreach "
            "YAML.load_file CSV.read JSON.load_file"),
    **rules(Sink.OPEN, "File.open File.new CSV.open"),
    **rules(Sink.MAKE, "FileUtils.mkdir_p Dir.mkdir FileUtils.mkdir"),
    **rules(Sink.MOVE, "File.rename FileUtils.mv FileUtils.move"),
    **rules(Sink.COPY, "FileUtils.cp FileUtils.cp_r FileUtils.copy IO.copy_stream"),
    **rules(Sink.LINK, "File.symlink File.link FileUtils.ln_s"),
    **rules(Sink.CHANGE_MODE, "FileUtils.chmod FileUtils.chmod_R File.chmod FileUtils.chown", at=1),
    **rules(Sink.WALK, "Dir.glob Dir.entries Dir.children Dir.each_child Find.find Dir"),
    **rules(Sink.CHANGE_FOLDER, "Dir.chdir FileUtils.cd"),
    **rules(Sink.FETCH, "Net.HTTP.get Net.HTTP.get_response URI.parse.open "
            "HTTParty.get Faraday.get RestClient.get"),
    **rules(Sink.SEND, "Net.HTTP.post Net.HTTP.post_form HTTParty.post Faraday.post "
            "RestClient.post RestClient.put"),
    **rules(Sink.CONNECT, "TCPSocket.new TCPSocket.open Socket.tcp TCPSocket"),
    **rules(Sink.LISTEN, "TCPServer.new TCPServer.open"),
    **rules(Sink.KILL, "Process.kill", at=1),
    **rules(Sink.FORK, "fork Process.fork Kernel.fork"),
    **rules(Sink.DUPLICATE, "*.reopen"),
    **rules(Sink.SQL, "*.execute *.exec_query *.exec_params"),
    **rules(Sink.PRIVILEGE, "Process.UID.change_privilege"),
}  # fmt: skip
_DECODED = frozenset({Taint.DECODED})


def _decode_base64(receiver: Value | None, arguments: list[Value]) -> Value:
    try:
        return Value(constant=base64.b64decode(arguments[0].shown).decode(), taints=_DECODED)
    except (binascii.Error, ValueError, IndexError):
        return Value(taints=_DECODED)


def _unpack(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(taints=_DECODED)


def _pack(receiver: Value | None, arguments: list[Value]) -> Value:
    items = receiver.items if receiver is not None else None
    codes = [item.constant for item in items or ()]
    if arguments and arguments[0].shown[:1] in "cCU" and all(isinstance(c, int) for c in codes):
        return Value(constant="".join(chr(code) for code in codes if isinstance(code, int)))
    return Value(taints=_DECODED)


def _reverse(receiver: Value | None, arguments: list[Value]) -> Value:
    known = receiver is not None and receiver.text is not None
    return Value(constant=receiver.shown[::-1]) if known and receiver else UNKNOWN


def _open(recorder: Recorder, arguments: list[Value]) -> Value:
    """`open` takes a path, a URL, or a command behind a bar."""
    path = arguments[0] if arguments else UNKNOWN
    mode = arguments[1].shown if len(arguments) > 1 else "r"
    if path.shown.startswith("|"):
        return recorder.run("open", Value(constant=path.shown[1:]))
    if "://" in path.shown:
        return recorder.fetch("open", path)
    if mode[:1] in "wa":
        recorder.write("open", path)
        return UNKNOWN
    return recorder.read("open", path)


FOLDS = {
    "Base64.decode64": _decode_base64, "Base64.strict_decode64": _decode_base64,
    "Base64.urlsafe_decode64": _decode_base64, "*.unpack": _unpack, "*.unpack1": _unpack,
    "*.pack": _pack, "*.reverse": _reverse, "*.to_s": lambda receiver, _: receiver or UNKNOWN,
    "Dir.home": lambda receiver, arguments: Value(constant="~"),
    "Dir.pwd": lambda receiver, arguments: Value(constant="."),
    "File.join": lambda receiver, arguments: Value(constant="/".join(a.shown for a in arguments)),
    "File.expand_path": lambda receiver, arguments: arguments[0] if arguments else UNKNOWN,
}  # fmt: skip
PURE = words(
    "puts print p pp printf require require_relative sleep loop lambda proc raise rand Integer "
    "Float String Array Hash format sprintf *.map *.each *.select *.join *.size *.length *.sort "
    "*.to_i *.to_s *.upcase *.downcase *.split *.gsub *.sub *.strip *.first *.last *.sum *.inject "
    "*.new *.now *.times *.keys *.values *.include? JSON.parse JSON.generate YAML.load Time.now "
    "Date.today if unless while until case when def end do attr_accessor exit abort gets"
)
# `require "redis"` makes `Redis` known, without naming it.
_LOADED = lazy_re(r"""\brequire\s*\(?\s*["']([\w/-]{1,60})["']""")
LANGUAGE = Language(
    name="ruby",
    grammar=GRAMMAR,
    calls=CALLS,
    joins=frozenset({"+", "<<"}),
    bare=True,
    folds=FOLDS,
    pure=PURE,
    assemble="#{",
    specials={"open": _open, "URI.open": _open, "Kernel.open": _open},
    environment=frozenset({"ENV"}),
    loaded=lambda text: _LOADED.findall(text),
)


def read_ruby(text: str, recorder: Recorder) -> None:
    """Record what a Ruby text does."""
    for sender in (".send(", ".__send__(", ".public_send(", "const_get(", ".method("):
        if sender in text:
            recorder.opaque(f"calls by a name that is worked out: `{sender.strip('.(')}`", "ruby")
            break
    read_with(LANGUAGE, text, recorder)
