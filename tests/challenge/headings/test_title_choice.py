"""Which of several operations a title names, and how much of a long name stays."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.wording.objects import command_of, object_of
from signoff.assess.assessment import Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.heading import title_of

JUDGE = Judge(rules=lambda: RuleSet())


def title(command: str) -> str:
    """Return the title of a shell line."""
    return title_of(JUDGE(shell_call(command), Facts()))


def query(sql: str) -> Action:
    """Return a call of a database tool."""
    return Action(tool="mcp__postgres__query", arguments={"sql": sql}, cwd="/home/dev/project")


def test_a_block_is_named_by_what_it_deletes_for_good() -> None:
    """Of two equally grave findings, although another statement stands first."""
    block = "DO $$ BEGIN UPDATE a SET x = 1; DROP TABLE b; GRANT ALL ON c TO bob; END $$;"
    assessed = JUDGE(query(block), Facts())

    assert title_of(assessed) == "Drops table `b`; cannot be undone"
    assert assessed.reason.startswith("Drops table `b`")


@pytest.mark.parametrize(
    ("name", "room", "expected"),
    [
        ("https://github.com/acme/tools/fastfmt", 32, "https://github.com/.../fastfmt"),
        ("https://a.very-long-name.cdn.example/x", 20, "...e.cdn.example/..."),
        ("/home/dev/project/src/app/main.py", 24, "/home/.../app/main.py"),
        ("deploy-web-frontend-production", 20, "deploy...-production"),
    ],
)
def test_a_long_name_keeps_what_tells_most(name: str, room: int, expected: str) -> None:
    """The host of an address, the file of a path, both ends of other names."""
    assert object_of(name, room) == f"`{expected}`"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "terraform apply -auto-approve",
            "Applies Terraform changes to real infrastructure without asking",
        ),
        (
            "terraform -chdir=envs/staging apply staging.tfplan",
            "Applies Terraform plan `staging.tfplan` to real infrastructure in folder"
            " `envs/staging`",
        ),
        (
            "terraform apply -target=module.db",
            "Applies Terraform changes for `module.db` to real infrastructure",
        ),
        (
            "terraform workspace select prod && terraform apply",
            "Applies Terraform changes to real infrastructure in workspace `prod`",
        ),
        (
            "tofu apply -destroy",
            "Destroys all infrastructure that OpenTofu manages; cannot be undone",
        ),
        (
            "pulumi up -s dev",
            "Applies Pulumi changes to real infrastructure in stack `dev`",
        ),
    ],
)
def test_what_is_applied_and_where(command: str, expected: str) -> None:
    """A plan, one resource, without a question; the folder, workspace or stack."""
    assert title(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf src docs", "Deletes `src` and 1 more, and everything in them; cannot be undone"),
        ("sudo apt-get install -y a b c", "Installs `a` and 2 more as root"),
        ("psql -c 'DROP TABLE a; DROP TABLE b'", "Drops table `a` and 1 more; cannot be undone"),
    ],
)
def test_how_many_others_the_same_happens_to(command: str, expected: str) -> None:
    """So nobody approves the first of many."""
    assert title(command) == expected


def test_values_of_options_are_not_counted() -> None:
    """Where one is no name, nobody knows of the others."""
    assert " more" not in title("fastlane pilot upload --ipa a.ipa --changelog 'Fix a crash'")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "doveadm expunge -A mailbox '*' all",
            "Deletes messages with `doveadm expunge -A mailbox * all`; cannot be undone",
        ),
        ("scancel -u bob", "Stops every matching process with `scancel`"),
        ("mix hex.publish --yes", "Publishes a package with `mix hex.publish`"),
        ("ros2 topic pub --once /cmd_vel std_msgs/Bool", "Controls a device with `ros2 topic pub`"),
        ("ray up -y conf/ray.yaml", "Changes remote resources with `ray up conf/ray.yaml`"),
        ("rclone sync /tmp/x store:media", "Deletes `store:media`; cannot be undone"),
        ("vault audit disable file/", "Stops logging or monitoring with `vault audit disable"),
        ("gh gist create -", "Publishes standard input as a gist; local files leave this machine"),
        ("sh /tmp/setup.sh", "Runs `/tmp/setup.sh`, whose content is unknown"),
        (
            "psql -c 'GRANT USAGE ON DATABASE dev TO ROLE analyst'",
            "Grants database rights to `analyst`; somebody else gets access",
        ),
        (
            "export LD_PRELOAD=/tmp/x.so",
            "Sets variable `LD_PRELOAD=/tmp/x.so`: it makes every later program load other code",
        ),
    ],
)
def test_words_of_a_command_are_no_name(command: str, expected: str) -> None:
    """They stand behind what is done; a reason has a subject."""
    assert title(command).startswith(expected)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            "run_csharp_script",
            {"code": "using Acme.Files;\nFrob(1);"},
            "Runs C# code that signoff cannot read",
        ),
        (
            "mcp__list__update_campaign_status",
            {"campaign_id": 311, "status": "running"},
            "Updates campaign status `311` to `running`",
        ),
        (
            "mcp__edi__send_edifact_message",
            {"sender": "990", "receiver": "880", "channel": "AS4"},
            "Sends a message to `880` in channel `AS4`",
        ),
        (
            "mcp__bots__set_robot_parameter",
            {"robot": "agv07", "parameter": "max_speed", "value": 2},
            "Sets parameter `max_speed` of robot `agv07`",
        ),
        (
            "mcp__hlr__export_subscribers",
            {"query": {"plmn": "24"}, "destination": {"url": "https://files.example/s.csv"}},
            "Exports subscribers that match `plmn:24` to `https://files.example/s.csv`",
        ),
    ],
)
def test_tools_by_what_their_arguments_are(
    tool: str, arguments: dict[str, Json], expected: str
) -> None:
    """A receiver, a new value, the name of what is set."""
    call = Action(tool=tool, arguments=arguments, cwd="/home/dev/project")

    assert title_of(JUDGE(call, Facts())).startswith(expected)


def test_what_only_the_words_of_a_call_tell_has_a_subject() -> None:
    """The reason begins with what the call does; the title says why it is asked about."""
    line = "qsub -q all.q -b y -N purge erase_all_backups --sites all --no-copies --force --yes"
    assessed = JUDGE(shell_call(line), Facts())

    assert assessed.reason.startswith("Starts processes with `qsub`; its words are typical of")
    assert title_of(assessed).endswith("`qsub`: its wording is like that of denied calls")


def test_a_question_by_wording_alone_says_so() -> None:
    """Not that the call is like denied ones: it would pass but for its words."""
    line = (
        "condor_submit purge_old_archives.sub -append 'arguments=--all --no-backup"
        " --delete staging' -batch-name wipe"
    )
    assessed = JUDGE(shell_call(line), Facts())

    assert assessed.findings[-1].category == "call-classifier.asked"
    assert title_of(assessed).endswith("its wording is like that of asked calls")


def test_a_long_command_keeps_its_first_words() -> None:
    """They say what is done; options stand behind them."""
    command = "New-AzRoleAssignment -ObjectId 7 -RoleDefinitionName Reader"

    assert command_of(command, 32) == "`New-AzRoleAssignment ...`"
    assert command_of(command, 100) == f"`{command}`"
