"""What a call of a service's client does, by the words of its name and of what it is called on.

A client library nobody described says itself what its methods do, as tools and functions do. Only
acts that others feel count: what is deleted, paid, sent, stopped, or given rights to. What is read,
created and changed is the service's everyday use.

    stripe.Refund.create(charge="ch_1")       -> SPEND money
    client.users.delete_all()                 -> DELETE accounts, in bulk
    frame.drop(columns=["a"])                 -> nothing: `drop` alone, on nothing a service holds
"""

from __future__ import annotations

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.services.call import ClientCall
from signoff.actions.code.services.clients import is_store
from signoff.actions.code.services.docker import line_of_run
from signoff.actions.code.value import Taint, is_address, taints_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import PASSING, THINGS, WHOLE_STORES, singular, thing_of
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS, Lead, lead_verb
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re

# One word that says it without an object: nothing else is called so.
_PLAINLY = vocabulary(
    "delete destroy purge truncate wipe erase obliterate nuke terminate refund payout"
    " deprovision decommission revoke reboot shutdown"
)
_ON_OBJECTS = frozenset({Verb.DELETE, Verb.CONTROL, Verb.PRIVILEGE})
# With what they are called on: `container.remove()`; `start` and `clear` say too little.
_TAKES = vocabulary("remove rm drop unlink trash prune stop kill halt abort grant")
_ALL = vocabulary("all everything bulk mass batch every many")
_WRITTEN_TOGETHER = ("all", "db", "many", "one", "index")
_NEW = vocabulary("create add new make submit insert")
_ENDED = frozenset({ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.CONTAINER})
_WIRES = vocabulary("coil coils register registers relay relays gpio servo plc")
_SAID_BEFORE = frozenset({"publish", "publisher", "notify"})
_CHANGES = vocabulary(
    "set update modify edit patch replace change transition assign promote rename alter configure"
)
_WRITES = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.INSTALL, Verb.EXECUTE})
_DIRECTORIES = vocabulary("ldap ldapjs ad iam keycloak okta")
_KEEPERS = _DIRECTORIES | vocabulary("kubernetes nomad consul vault")
_RIGHTS = vocabulary("role binding rolebinding policy grant permission acl member membership group")
_PAYS = _NEW | vocabulary("send sign broadcast")
_MOVES = vocabulary("write set open close start stop move press force turn switch toggle")
_HANDS_OUT = vocabulary("upload push publish submit")
_FILES = vocabulary("file files folder directory dir artifact dataset blob model image")
# What others build on: a merge, a release or a deployment of it reaches them.
_SHARED = vocabulary("pull pr branch release repo repository package site deployment version")
_RUNS = vocabulary("exec execute sudo shell cmd command run")
_CONFIGURATION = vocabulary("config configs configuration candidate")
_SQL = lazy_re(
    r"(?i)\s*(?:select|insert|update|delete|drop|create|alter|truncate|pragma|with|begin|grant)\s"
)
_ROUTES = vocabulary("get post put patch delete head options request route websocket")
_REQUESTS = vocabulary("post put patch delete")
# Named in a library, these belong to others, whether a client was seen to be made or not.
_OF_OTHERS = frozenset({ResourceType.MONEY, ResourceType.ACCOUNT, ResourceType.DEVICE})
_SETS_UP = vocabulary("send load commit replace push apply edit merge")
_TOLD_BY = vocabulary("email mail sms message tweet dm whatsapp notify broadcast fax mms telegram")
_ENDS = (("destroy",), ("disconnect",))
_CONNECTIONS = vocabulary("client connection socket knex stream pubsub websocket")
# Of the running program, whatever it is called on.
_INSIDE = PASSING | vocabulary(
    "cookie cookies session row rows page pages node nodes edge edges layer shape slide sheet"
    " attribute attributes tag tags element elements child children item items key keys column"
    " columns event listener handler callback job task widget window timer signal thread"
)


def record_act(call: ClientCall, recorder: Recorder) -> None:
    """Record what a call on a service's client changes for other people, if anything."""
    owner, _, method = call.name.rpartition(".")
    if method not in _ROUTES and not call.is_of_service:
        _opened(call, recorder)
    words = _without_form(_words(method))
    if not words or _is_request(call, words, recorder) or _is_command(call, words, recorder):
        return
    is_without_effect = (
        recorder.doubles.has_only(call.name, call.owner) or call.is_tried or _closes(call, words)
    )
    recorder.is_ordinary |= is_without_effect
    about = _about(owner)
    if words == ("run",) and about[-1:] == ("containers",):
        recorder.shell.append(line_of_run(call))
        return
    lead = lead_verb(words) or _lead_of_owner(owner)
    if lead is None or is_without_effect:
        return
    rest = (*about, *words[: lead.at], *words[lead.at + 1 :]) if lead.at >= 0 else (*about, *words)
    verb = _of_keepers(call, lead) or _verb(lead, words, rest, has_path="/" in call.text)
    if verb is Verb.NETWORK_OUT and "model" in call.named:
        return  # a question to a language model; nobody gets it as a message
    thing, noun = thing_of(rest)
    if thing is ResourceType.NOTHING:
        thing = ResourceType.DATABASE if is_store(call.name) else ResourceType.CLOUD
    is_client = Taint.SERVICE in taints_of(*call.values) or thing in _OF_OTHERS
    reach = _reach(call, words, recorder)
    verb = verb or _of_production(lead, reach)
    if verb is None or not is_client:
        return
    traits = _traits(call, verb, words, recorder, (thing, noun))
    is_own = verb is Verb.DELETE and _is_own(thing, reach, traits)
    recorder.operate(
        Verb.WRITE if is_own else verb, call.name.lstrip("*."), thing=thing,
        target=call.text or ".".join((*about, *words)), reach=reach,
        traits=traits - _MANY if is_own else traits, reversible=is_own,
    )  # fmt: skip


def _is_own(thing: ResourceType, reach: Reach, traits: frozenset[Trait]) -> bool:
    """Tell a broker or a store of objects that the code itself places on this machine."""
    return reach is Reach.LOOPBACK and thing in _OWN_THINGS and Trait.WHOLE_STORE not in traits


def _closes(call: ClientCall, words: tuple[str, ...]) -> bool:
    """Tell `client.destroy()`, which ends a connection of this process."""
    owner = split_words(call.name.rpartition(".")[0].rpartition(".")[2])
    is_bare = not call.arguments and not call.named
    return is_bare and words in _ENDS and not _CONNECTIONS.isdisjoint(owner[-1:])


def _of_production(lead: Lead, reach: Reach) -> Verb | None:
    """Tell a change of what serves everybody: `set_alias(model, "production")`."""
    is_change = lead.word in _CHANGES and reach is Reach.PRODUCTION
    return Verb.WRITE if is_change else None


def _lead_of_owner(owner: str) -> Lead | None:
    """Return the act that the part before says: `publish.single(...)`."""
    last = owner.rpartition(".")[2].lower()
    return Lead(Verb.NETWORK_OUT, last, -1) if last in _SAID_BEFORE else None


def _of_keepers(call: ClientCall, lead: Lead) -> Verb | None:
    """Tell changes of what keeps accounts, rights and what runs: directories, clusters."""
    words = frozenset(split_words(call.name))
    if lead.verb not in _WRITES or _KEEPERS.isdisjoint(words):
        return None
    is_right = not _RIGHTS.isdisjoint(split_words(call.name.rpartition(".")[2]))
    return Verb.PRIVILEGE if is_right or not _DIRECTORIES.isdisjoint(words) else Verb.CONFIGURE


def _opened(call: ClientCall, recorder: Recorder) -> None:
    """Record that a library opens a file; what it does with it is unknown."""
    for value in call.arguments:
        if value.is_known and (value.text or "").startswith(("/", "~/", "C:")):
            recorder.read(call.name.lstrip("*."), value)


def _about(owner: str) -> tuple[str, ...]:
    """Return what a method is called on: `containers` of `docker.from_env.containers.list`."""
    for part in owner.split(".")[:-4:-1]:
        words = tuple(w for w in split_words(part) if _is_noun(w) and w not in _ALL)
        if words:
            return words
    return ()


def _without_form(words: tuple[str, ...]) -> tuple[str, ...]:
    """Drop a last word that only says how an act is packed: `delete bucket command`."""
    return words[:-1] if len(words) > 2 and words[-1] in {"command", "request", "async"} else words


def _is_noun(word: str) -> bool:
    return word not in VERBS or word in NOUN_LIKE or singular(word) in THINGS


def _words(name: str) -> tuple[str, ...]:
    """Split a name; `flushall` and `flushdb` are two words each."""
    found: list[str] = []
    for word in split_words(name):
        end = next((end for end in _WRITTEN_TOGETHER if word.endswith(end)), "")
        found.extend((word[: -len(end)], end) if end and len(word) > len(end) + 3 else (word,))
    return tuple(found)


def _verb(
    lead: Lead, words: tuple[str, ...], rest: tuple[str, ...], *, has_path: bool
) -> Verb | None:
    """Choose the act that counts; None for everyday use, and what only the program holds."""
    thing, noun = thing_of(rest)
    if lead.word == "terminate" and thing in _ENDED:
        return Verb.DELETE
    if lead.verb in _ON_OBJECTS:
        if lead.word in _PLAINLY and len(words) == 1:
            return lead.verb
        has_object = thing is not ResourceType.NOTHING or has_path
        is_object = len(words) > 1 or (has_object and lead.word in _TAKES)
        return lead.verb if is_object and noun not in _INSIDE and not _is_inside(rest) else None
    if (thing is ResourceType.DEVICE or not _WIRES.isdisjoint(words)) and lead.word in _MOVES:
        return Verb.CONTROL
    return _outward(lead, words, rest)


def _outward(lead: Lead, words: tuple[str, ...], rest: tuple[str, ...]) -> Verb | None:
    """Choose among what is paid, set up elsewhere, handed out and said to others."""
    thing, _ = thing_of(rest)
    if lead.verb is Verb.SPEND or (lead.word in _PAYS and thing is ResourceType.MONEY):
        return Verb.SPEND if lead.word != "book" else None
    if lead.word in _SETS_UP and not _CONFIGURATION.isdisjoint(words):
        return Verb.CONFIGURE
    if lead.verb is Verb.PUBLISH and not _SHARED.isdisjoint(map(singular, (*words, *rest))):
        return Verb.PUBLISH
    if lead.word in _HANDS_OUT and not _FILES.isdisjoint((*words, *rest)):
        return Verb.NETWORK_OUT
    if lead.word in _SAID_BEFORE and lead.at < 0:
        return Verb.NETWORK_OUT
    is_message = thing is ResourceType.MESSAGE or not _TOLD_BY.isdisjoint((*words, *rest))
    is_said = lead.verb is Verb.NETWORK_OUT or lead.word in _NEW
    return Verb.NETWORK_OUT if is_said and is_message else None


def _is_inside(rest: tuple[str, ...]) -> bool:
    return any([singular(word) in _INSIDE or word in _INSIDE for word in rest[-1:]])


def _is_request(call: ClientCall, words: tuple[str, ...], recorder: Recorder) -> bool:
    """Record `session.post("https://...", json=...)`: a request by its method and address."""
    first = call.arguments[0] if call.arguments else None
    if len(words) != 1 or words[0] not in _REQUESTS or first is None or not is_address(first):
        return False
    data = [value for key, value in call.named.items() if key not in {"headers", "auth", "timeout"}]
    recorder.send(call.name.lstrip("*."), first, first, *call.arguments[1:], *data)
    return True


def _is_command(call: ClientCall, words: tuple[str, ...], recorder: Recorder) -> bool:
    """Record a line that a client runs on another machine as what it would do on this one."""
    first = call.arguments[0] if call.arguments else None
    if first is None or not first.is_known or not isinstance(first.constant, str):
        return False
    if not _RUNS.issuperset(words) or " " not in first.constant:
        return False
    if _SQL.match(first.constant) is not None:
        recorder.sql.append(first.constant)
        return True
    recorder.run(call.name.lstrip("*."), first)
    return True


def _reach(call: ClientCall, words: tuple[str, ...], recorder: Recorder) -> Reach:
    texts = (*recorder.service_hosts, *(value.text for value in call.values if value.text))
    if any(map(is_production, texts)) or not {"prod", "production"}.isdisjoint(words):
        return Reach.PRODUCTION
    hosts = recorder.service_hosts
    near = [look_at_url(f"tcp://{host}").reach is Reach.LOOPBACK for host in hosts]
    return Reach.LOOPBACK if near and all(near) else Reach.REMOTE


def _traits(
    call: ClientCall,
    verb: Verb,
    words: tuple[str, ...],
    recorder: Recorder,
    about: tuple[ResourceType, str],
) -> frozenset[Trait]:
    """Return traits for how much of a resource a call affects."""
    thing, noun = about
    found: set[Trait] = set()
    is_all_called = not _ALL.isdisjoint(call.name.lower().split(".")[:-1])
    is_listed = is_all_called or Taint.LISTED in taints_of(*call.values)
    is_each = is_listed and not call.is_chosen
    is_all = not _ALL.isdisjoint(words) or any(value.text == "*" for value in call.values)
    is_all |= any([value.constant == 1 for key, value in call.named.items() if key in _DEEP])
    if is_each or (is_all and not _has_filter(call)):
        found |= {Trait.BULK, Trait.BROAD}
    if verb is Verb.DELETE:
        if is_each and _reach(call, words, recorder) is not Reach.LOOPBACK:
            found.add(Trait.WHOLE_STORE)
        if noun in WHOLE_STORES:
            found.add(Trait.WHOLE_STORE)
        if Trait.BROAD in found and thing is ResourceType.DATABASE:
            found.add(Trait.UNBOUNDED)
        elif not found:
            found.add(Trait.NAMED)
    if verb is Verb.NETWORK_OUT and not _FILES.isdisjoint(words):
        found.add(Trait.SENDS_FILES)
    return frozenset(found)


_MANY = frozenset({Trait.BULK, Trait.BROAD})
_OWN_THINGS = frozenset({ResourceType.CLOUD, ResourceType.MESSAGE, ResourceType.URL})
_DEEP = frozenset({"recurse", "recursive"})


def _has_filter(call: ClientCall) -> bool:
    """Tell `delete_many({"done": True})`, which is about some, from `delete_many({})`."""
    return any([bool(value.entries) for value in call.arguments]) or call.chooses
