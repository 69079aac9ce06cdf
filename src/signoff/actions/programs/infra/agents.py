"""Language models, wallets, homes and probes: command lines that talk to a service or a device.

A prompt sent to a model is a request with the project's text; a wallet pays; a home's switches
and a broker's names are remote things.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BUILD,
    CHANGE,
    CONTROL,
    FETCH,
    GONE,
    LOGS_IN,
    LOOK,
    PAYS,
    RUNS_THERE,
    SECRET_SET,
    SENDS,
    SERVES,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    TAKEN_OUT,
    far,
    machine,
    near,
)
from signoff.actions.programs.infra.platforms import LOGIN
from signoff.actions.programs.infra.services import service_program
from signoff.actions.programs.program import Program, program

DAEMON = machine(Verb.CONFIGURE, Thing.SERVICE)


def _prompt(call: Call) -> Iterator[Effect]:
    """`llm PROMPT`: the text goes to a model; shell execution switched on runs what it says."""
    if call.has("--execute", "-e", "--shell", "-s") and "sgpt" in call.name:
        yield call.opaque("runs what a model answers")
    else:
        yield call.operation(Verb.NETWORK_IN, Thing.URL, "a model", reach=Reach.REMOTE)


PROGRAMS: tuple[Program, ...] = (
    program(
        "llm",
        subs={
            "keys": SECRET_SET,
            "models aliases templates logs plugins schemas tools fragments collections "
            "similar": LOOK,
            "install": near(Verb.INSTALL, Thing.PACKAGE),
            "uninstall": TAKEN_OUT,
        },
        handler=_prompt,
        values="-m -s -t -o -c --cid --key",
    ),
    program("sgpt aichat mods tgpt chatgpt chatblade gpt yai shell-gpt", handler=_prompt),
    service_program(
        "openclaw zeroclaw-agent zeroclaw zeroclaw-channel zeroclaw-daemon zeroclaw-gateway "
        "zeroclaw-models zeroclaw-migrate clawdbot moltbot",
        {
            "status | health | doctor | models list | models status | nodes status | nodes list | "
            "channel list | channel doctor | channels list | channels status | logs | skills "
            "list | sessions | cron list | "
            "models": (LOOK),
            "onboard | gateway | daemon | node | service | gateway install | setup": DAEMON,
            "cron | hooks | plugins install | skills install": DAEMON,
            "configure | config | channels add | channels login | channel": SETS,
            "message send | agent": SENDS,
            "uninstall | reset": DAEMON,
            "nodes approve | pairing approve | approvals": ACCESS,
        },
    ),
    service_program(
        "openai anthropic cohere mistral groq together modal runpodctl replicate vastai "
        "lambda-cloud lightning beam banana baseten cerebrium fal roboflow "
        "dstack sky skypilot paperspace gradient jarvis civitai langsmith langgraph",
        {
            **LOGIN,
            "api chat completions create | api completions create | api models list | "
            "api image create | api audio transcribe": FETCH,
            "tools | dev | build | serve | check": BUILD,
            "run | deploy": RUNS_THERE,
            "exec | shell": RUNS_THERE,
            "down | stop": CONTROL,
        },
    ),
    service_program(
        "solana-keygen spl-token near aptos starkli "
        "anchor lightning-cli lncli cardano-cli algokit goal flow polkadot subkey ton "
        "celocli wasmd gaiad neutrond eth dfx clarinet stellar soroban xrpl tezos-client ord",
        {
            "call | balance | block | chain-id | receipt | tx | logs | abi-encode | "
            "abi-decode | sig | "
            "4byte | decode | to-wei | from-wei | keccak | gas-price | code | storage | rpc | "
            "estimate | "
            "keys list | account list | wallet list | getinfo | listpeers | walletbalance | "
            "channelbalance | supply | accounts | client gas | client objects | client object | "
            "client addresses | client active-address | move test | move build | move new": LOOK,
            "build | test | compile | fmt | init | new | coverage | snapshot | doc | check | "
            "inspect | "
            "flatten | clean | node | local | move | localnet | start | install | remove": BUILD,
            "send | publish | mint | pay | sendcoins | sendpayment | transfer | payinvoice | "
            "withdraw | "
            "fundchannel | openchannel | closechannel | client transfer | client pay | "
            "client ptb | "
            "client pay-sui | client transfer-sui | client publish | client call | "
            "transaction submit | "
            "account transfer | create | deploy | burn | approve | script | run | migrate": PAYS,
            "wallet new | wallet import | wallet private-key | key generate | keytool export | "
            "keytool import | keytool generate | account generate | new-mnemonic | "
            "recover": SHOWS_SECRET,
            "client switch | client new-env | config | set": SETS,
            "client faucet": FETCH,
        },
        values="--rpc-url --private-key",
    ),
    service_program(
        "hass-cli ha homekit hap particle balena tuya-cli kasa hue miiocli chip-tool "
        "blynk thingsboard nodered-cli openhab-cli zigbee2mqtt esphome arest fwup nerves "
        "mender-cli mender-artifact memfault golioth notehub tizen sdb edgecloud greengrass-cli",
        {
            **LOGIN,
            "info | state list | state get | devices | device | apps | app | envs | logs | scan | "
            "service list | area list | entity list | discover | device info | fleets | orgs": LOOK,
            "build | preload | os download | os configure | os versions | compile | config | "
            "validate | local | dashboard | wizard": BUILD,
            "os initialize": machine(Verb.WRITE, Thing.DEVICE, reversible=False),
            "push | deploy | run | upload | flash | service call | state toggle | state turn_on | "
            "state turn_off | state edit | call | on | off": CONTROL,
            "ssh | tunnel | support": RUNS_THERE,
            "env set | env add | env rm": CHANGE,
            "leave | join": CHANGE,
        },
    ),
    service_program(
        "octodns-sync octodns-dump octodns-validate octodns-compare dnscontrol cloudflare fastly "
        "flarectl cfcli doctl-dns lexicon pdnsctl namecheap porkbun godaddy gandi dnsimple route53",
        {
            "preview | check | get-zones | fmt | print-ir | check-creds | version | list": LOOK,
            "push": CHANGE,
            "zone purge | zone delete": CHANGE,
            "create-domains": CHANGE,
        },
        bare=Verb.WRITE,
    ),
    program(
        "promtool amtool logcli mimirtool cortextool lokitool tempo-cli jaeger-query "
        "steampipe powerpipe textql trdsql dsq octosql q-text-as-data cloudquery "
        "dcgmi proctl cloudsplaining parliament",
        LOOK,
        acting={"--delete": CHANGE},
        subs={
            "silence": program("", LOOK, subs={"add expire import update": CHANGE, "query": LOOK}),
            "tsdb": BUILD,
            "rules": program("", LOOK, subs={"load sync delete": CHANGE}),
            "alertmanager": program("", LOOK, subs={"load delete": CHANGE}),
            "push": SENDS,
        },
    ),
    service_program(
        "marzban marzban-cli",
        {"admin list | user list | user show | subscription get-link": LOOK, "admin": ACCESS},
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
    ),
    program(
        "cli4",
        LOOK,
        acting={"--delete -D": GONE, "--post -P --put -U --patch -A": CHANGE},
        values="-V --profile -p",
    ),
    program("zabbix_sender nsca send_nsca statsd-client", SENDS),
    program("sequin sequin-cli", CHANGE, subs={"login": LOGS_IN, "init": SETS_PROJECT}),
    program("jenkins jenkins-agent", SERVES),
    program(
        "x11docker",
        far(Verb.PRIVILEGE, Thing.CONTAINER),
        harmless="--info --licence --license --changelog",
    ),
)
