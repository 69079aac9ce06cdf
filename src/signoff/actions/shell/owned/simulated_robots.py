"""What a line tells a robot that it simulates itself, with a network that ends at this machine.

export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST; ros2 launch agv_sim x.launch.py & ros2 topic pub ...

Both are needed: a robot may hang on this machine, and a simulation may share its network with one.
"""

from __future__ import annotations

from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.line_variables import LineVariables, has_subshell
from signoff.actions.vocabulary import words
from signoff.values import replace

_TALKING = words("ros2 rostopic rosservice")
_LAUNCHING = words("launch run sim")
_SIMULATIONS = words(
    "sim simulation simulator gazebo gz ign ignition turtlesim webots stage mock fake"
)
# ROS 2, "Improved dynamic discovery": which machines a node speaks to.
_NEAR_ONLY = {
    "ROS_AUTOMATIC_DISCOVERY_RANGE": words("localhost off"),
    "ROS_LOCALHOST_ONLY": words("1"),
}
_ELSEWHERE = words(
    "ROS_STATIC_PEERS ROS_DISCOVERY_SERVER CYCLONEDDS_URI FASTRTPS_DEFAULT_PROFILES_FILE"
)


def in_simulation(
    operations: tuple[Operation, ...], commands: tuple[Command, ...], text: str
) -> tuple[Operation, ...]:
    """Return the operations of a line, with what a simulated robot does as a process of it."""
    talking = {one.index for one in commands if one.program in _TALKING}
    if not talking or not any(map(_simulates, commands)):
        return operations
    variables = LineVariables(commands, has_subshell=has_subshell(text))
    return tuple(
        [
            replace(op, thing=ResourceType.PROCESS, reach=Reach.PROJECT, reversible=True)
            if op.group in talking and _is_moved(op) and _is_alone(commands[op.group], variables)
            else op
            for op in operations
        ]
    )


def _is_moved(op: Operation) -> bool:
    return op.verb is Verb.CONTROL and op.thing is ResourceType.DEVICE


def _simulates(command: Command) -> bool:
    """Tell `ros2 launch agv_sim x.launch.py`, `gz sim world.sdf`, `gazebo`."""
    texts = [word.text for word in command.words[:6]]
    if command.program not in ("ros2", "roslaunch", "rosrun"):
        return command.program in ("gz", "ign", "gazebo", "gzserver", "webots")
    is_launch = command.program != "ros2" or not _LAUNCHING.isdisjoint(texts[1:2])
    packages = texts[2:3] if command.program == "ros2" else texts[1:2]
    return is_launch and any([not _SIMULATIONS.isdisjoint(split_words(one)) for one in packages])


def _is_alone(command: Command, variables: LineVariables) -> bool:
    """Tell whether the nodes of a command speak to this machine alone."""
    if any([variables.values(name, command) for name in _ELSEWHERE]):
        return False
    given = [(variables.values(name, command), near) for name, near in _NEAR_ONLY.items()]
    told = [(values, near) for values, near in given if values]
    return bool(told) and all([near.issuperset(map(str.lower, values)) for values, near in told])
