"""Tools around clusters: delivery, meshes, backups, local test clusters, schedulers.

A local test cluster is the project's own: made freely, and asked about before it goes. What runs
on a remote cluster is remote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.infra.clusters import VALUES
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BACKUP_GONE,
    BUILD,
    INERT,
    LOGS_IN,
    LOOK,
    RUNS_THERE,
    SECRET_SET,
    SERVES,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    far,
    home,
    machine,
    near,
)
from signoff.actions.programs.infra.services import service_program
from signoff.actions.programs.program import Handler, Program, program

CHANGE = far(Verb.WRITE, Thing.CLUSTER, reversible=True)
CONTROL = far(Verb.CONTROL, Thing.CLUSTER, reversible=True)
GONE = far(Verb.DELETE, Thing.CLUSTER)
CLUSTER_GONE = far(Verb.DELETE, Thing.CLUSTER, Trait.WHOLE_STORE)
TEST_CLUSTER_GONE = near(Verb.DELETE, Thing.CLUSTER, reversible=False)
RUNS_HERE = near(Verb.EXECUTE, Thing.CLUSTER)
CONTEXT_GONE = home(Verb.DELETE, Thing.SETTING)
Table = Mapping[str, Act | Handler]


def _switch(call: Call) -> Iterator[Effect]:
    """`kubectx`, `kubens`: list, switch, rename or delete contexts of the user's configuration."""
    if call.has("-d", "--delete"):
        yield call.operation(
            Verb.DELETE, Thing.SETTING, "a context", reach=Reach.HOME, reversible=False
        )
    elif call.has("-u", "--unset") or any(text != "-" for text in call.texts):
        yield call.operation(Verb.CONFIGURE, Thing.SETTING, "the context", reach=Reach.HOME)
    else:
        yield call.operation(Verb.READ, Thing.SETTING)


def _sealed(call: Call) -> Iterator[Effect]:
    """`kubeseal`: encrypts with the public key of the cluster; recovery decrypts."""
    if call.has("--recovery-unseal"):
        yield call.operation(
            Verb.READ, Thing.CREDENTIAL, "sealed secrets", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, Thing.CLUSTER)
    for word in (*call.values("-w", "--sealed-secret-file"),):
        yield call.on_file(Verb.WRITE, word)
    for word in call.values("-f", "--secret-file"):
        yield call.on_file(Verb.READ, word)


def within_context(call: Call) -> Iterator[Effect]:
    """`kubie exec CONTEXT NAMESPACE program`: the program is judged by itself."""
    yield Nested(text=rejoin(call.operands[3:]), language="shell", carrier=call.name)


LOCAL: Table = {
    "delete | cluster delete | node delete | delete cluster | destroy | clean | nuke | reset | "
    "registry delete | profile delete | rm | delete nodes": TEST_CLUSTER_GONE,
    "start | stop | create | cluster | node | image | load | addons | pause | unpause | update | "
    "build | registry | kubeconfig | export | cache | config | profile | docker-env | podman-env | "
    "cp | mount | tunnel | service | update-context | get | enable | disable | up | down | init": (
        RUNS_HERE
    ),
    "ssh | nerdctl | shell": RUNS_HERE,
    "get kubeconfig | kubeconfig get": LOOK,
    "status | logs | ip | ssh-key | ssh-host | version | list | ls | dashboard | options": LOOK,
}
DELIVERY: Table = {
    "version | completion | check | tree | trace | stats | events | logs | diff | proxy-status | "
    "proxy-config | analyze | bug-report | validate | viz | top | tap | edges | stat | metrics | "
    "hubble | app get | app list | app diff | app logs | app manifests | app history | "
    "app resources | cluster list | repo list | proj list | backup describe | backup logs | "
    "backup get | restore get | restore describe | restore logs | schedule get | "
    "schedule describe | snapshot-location get | backup-location get | operation | "
    "proj windows list | context | plugin list | connectivity test | encrypt status | "
    "endpoint list | bpf | map | identity list | monitor | policy get | app wait | config view": (
        LOOK
    ),
    "login | relogin | platform login | auth login": LOGS_IN,
    "logout | platform logout": INERT,
    "account generate-token | account get-user-info --token": SHOWS_SECRET,
    "account update-password | account bcrypt": SECRET_SET,
    "account": LOOK,
    "backup delete | delete backup": BACKUP_GONE,
    "cluster delete | delete cluster | cluster rm": CLUSTER_GONE,
    "install | upgrade | bootstrap | create | sync | reconcile | resume | suspend | "
    "inject | manifest": CHANGE,
    "inject | manifest generate | manifest diff | profile dump | install --dry-run | profile": LOOK,
    "backup create | create backup | restore create | create restore": CHANGE,
    "restore delete | schedule delete": GONE,
    "app delete | appset delete | app terminate-op": GONE,
    "export | dump": LOOK,
    "admin initial-password": SHOWS_SECRET,
    "connect": SETS,
    "create cluster | toolbox | get secrets": CHANGE,
    "get secrets | export kubecfg | export kubeconfig": SHOWS_SECRET,
    "utils write-kubeconfig | kubeconfig | platform get": SETS,
    "push artifact | tag artifact": far(Verb.PUBLISH, Thing.PACKAGE),
    "build | pull artifact | list | ls": LOOK,
    "config use-context": SETS,
    "job run | job stop | job restart | job revert | job scale | job dispatch | run | stop": CHANGE,
    "job plan | job validate | job status | plan | node status | alloc status | alloc logs | "
    "server members | job inspect | fmt | operator api": LOOK,
    "alloc exec | exec | ssh": RUNS_THERE,
    "agent | agent-dev": SERVES,
    "system gc | operator": CONTROL,
    "var get | operator autopilot get-config": SHOWS_SECRET,
    "acl token create | acl bootstrap": SHOWS_SECRET,
    "acl": ACCESS,
}

PROGRAMS: tuple[Program, ...] = (
    service_program(
        "vcluster",
        {
            **DELIVERY,
            "delete": CLUSTER_GONE,
            "list | describe | info | debug": LOOK,
            "connect | disconnect": SETS,
        },
        values=VALUES,
        thing=Thing.CLUSTER,
    ),
    service_program(
        "bosh om",
        {
            "vms | instances | cloud-config | runtime-config | cpi-config | deployments | "
            "stemcells | "
            "releases | env | environments | manifest | tasks | task | events | locks | errands | "
            "disks | configs | config | inspect-release | variables | logs | networks": LOOK,
            "login | log-in | alias-env": LOGS_IN,
            "log-out": INERT,
            "ssh | scp | run-errand": RUNS_THERE,
            "delete-deployment | delete-env": CLUSTER_GONE,
            "create-release | init-release | generate-job": BUILD,
        },
        values="-e --environment -d --deployment",
        thing=Thing.CLUSTER,
    ),
    service_program(
        "argocd flux fluxctl istioctl linkerd kn tkn velero kops eksctl aksctl loft "
        "devpod-pro rancher virtctl cilium hubble calicoctl crossplane clusterctl talosctl "
        "nomad nomad-pack dapr k8ssandra vela kudo submariner subctl karmadactl "
        "kumactl consul-k8s cmctl odo rosa ocm rke gardenctl juju maas mesosctl dcos "
        "levant waypoint boundary kubeapps capsule chaosctl litmusctl k10 "
        "openshift-install ocm-cli kubermatic kubectl-argo-rollouts argo argo-cd",
        DELIVERY,
        values=f"{VALUES} --region --server --auth-token --grpc-web --project --profile -c --org "
        "--address --token -e --environment --deployment -d",
        thing=Thing.CLUSTER,
    ),
    service_program(
        "kind k3d minikube minishift ctlptl microk8s colima crc k0s k3s ksctl vind limactl "
        "lima rdctl "
        "podman-desktop orb orbctl",
        LOCAL,
        values="-p --profile -n --name",
        thing=Thing.CLUSTER,
        reach=Reach.PROJECT,
    ),
    service_program(
        "kubeadm k0sctl rke2 k3sup kubespray kk sealos minikube-admin",
        {
            "config | config view | config images list | version | token list | certs "
            "check-expiration | upgrade plan | upgrade diff": LOOK,
            "config images pull | config print": LOOK,
            "token create | certs certificate-key | join-command": SHOWS_SECRET,
            "reset": machine(Verb.DELETE, Thing.CLUSTER, Trait.WHOLE_STORE),
        },
        thing=Thing.CLUSTER,
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
    ),
    program(
        "k3s-uninstall.sh k3s-agent-uninstall.sh rke2-uninstall.sh k3s-killall.sh",
        machine(Verb.DELETE, Thing.CLUSTER, Trait.WHOLE_STORE, reversible=False),
    ),
    program("kubectx kubens kubeswitch kctx kns", handler=_switch),
    service_program(
        "kubie",  # its contexts hold for one shell only
        {"ctx | ns | info | lint | generate-completion | edit": LOOK, "exec": within_context},
        reach=Reach.HOME,
    ),
    program(
        "kubeseal",
        handler=_sealed,
        values=f"{VALUES} --controller-name --controller-namespace --cert --scope --format "
        "-f --secret-file -w --sealed-secret-file",
    ),
    service_program(
        "skaffold tilt garden devspace okteto telepresence werf kapp kbld imgpkg vendir ytt draft "
        "devpod nocalhost acorn-dev bridge-to-kubernetes mirrord kompose krew",
        {
            "dev | build | test | render | lint | diagnose | init | debug | config| schema | "
            "get | print | convert | resolve | analyze | fix | inspect | options": BUILD,
            "delete | down | destroy | purge | dismiss | cleanup": GONE,
            "apply | run | deploy | up | create | publish": CHANGE,
            "use | context | namespace": SETS,
            "deps | login": LOGS_IN,
            "list | status | logs | version | ps": LOOK,
            "push": far(Verb.PUBLISH, Thing.IMAGE),
            "install": SETS_PROJECT,
            "host-cleanup": GONE,
        },
        values=VALUES,
        thing=Thing.CLUSTER,
    ),
    service_program(
        "helmfile helmwave helmsman nelm",
        {
            "diff | template | lint | list | status | build | show-dag | write-values | fetch | "
            "deps | repos | cache | init | version | test": LOOK,
            "destroy | delete": GONE,
        },
        values=f"{VALUES} -f --file -e --environment",
        thing=Thing.CLUSTER,
    ),
    service_program(
        "k8sec kubesec kubectl-ssm-secret",
        {"list | dump | get": SHOWS_SECRET, "scan": LOOK, "set | unset | load": SECRET_SET},
        thing=Thing.CLUSTER,
    ),
    program(
        "k9s stern kubent popeye kube-score kubeconform kubeval kustomize pluto kail kubetail "
        "kube-capacity polaris kubescape kube-bench kube-hunter kubeshark "
        "rbac-lookup rbac-tool k8s-unused-secret-detector kube-fzf kubectl-tree datree kubefwd "
        "helm-docs chart-testing ct kubeaudit",
        LOOK,
    ),
)
