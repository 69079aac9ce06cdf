"""Clusters, containers, boxes and provisioning: what their lines mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = (
    "kubectl get pods -A",
    "kubectl describe secret db",
    "kubectl apply -f k.yaml --dry-run=client",
    "kubectl apply view-last-applied -f k.yaml",
    "kubectl annotate pod p --list",
    "kubectl delete ns old --dry-run=server",
    "kubectl config view",
    "kubectl diff -f k.yaml",
    "helm template ./chart",
    "helm list -A",
    "helm repo add x https://charts.example",
    "argocd app list",
    "flux check --pre",
    "istioctl analyze",
    "velero backup get",
    "kubeseal -f s.yaml -w sealed.yaml",
    "kind create cluster --name t",
    "k3d cluster create t",
    "minikube start",
    "eksctl get cluster",
    "nomad job plan api.nomad",
    "consul members",
    "crictl ps",
    "kubectx",
    "kubie ns dev",
    "docker run --rm alpine id",
    "docker image prune",
    "docker -H ssh://box logs web",
    "docker -H unix:///var/run/docker.sock rm web",
    "docker --context staging compose ps",
    "docker compose run --rm web pytest",
    "docker buildx prune",
    "docker builder prune -f",
    "docker network rm dev",
    "podman rm web",
    "docker context create far --docker host=ssh://h",
    "skopeo inspect docker://r.example/i:1",
    "crane digest alpine",
    "cosign verify r.example/i:1",
    "lxc list",
    "incus launch images:debian/12 box",
    "multipass start box",
    "distrobox enter box",
    "apptainer build a.sif docker://alpine",
    "terraform plan -out p.tfplan",
    "terraform state list",
    "tofu validate",
    "terragrunt run-all plan",
    "pulumi preview",
    "ansible-playbook site.yml --check",
    "ansible all -m ping",
    "ansible-galaxy collection install community.general",
    "vagrant up",
    "puppet apply --noop site.pp",
    "salt '*' test.ping",
    "packer validate image.pkr.hcl",
    "squeue -u me",
    "ceph health detail",
)
ASKED = (
    "kubectl apply -f k.yaml",
    "kubectl delete pod web-1",
    "kubectl get secret db -o yaml",
    "kubectl config use-context dev",
    "kubectl config view --raw",
    "kubectl create token default",
    "kubectl drain node-1",
    "helm upgrade api ./chart",
    "argocd app sync api",
    "argocd app delete api",
    "flux suspend kustomization apps",
    "velero restore delete r1",
    "kind delete cluster --name t",
    "minikube delete",
    "nomad job stop api",
    "consul kv delete app/x",
    "kubectx -d old",
    "docker system prune",
    "docker volume rm data",
    "docker -H ssh://box rm web",
    "docker --context staging compose up -d",
    "docker exec --privileged web sh",
    "docker compose run -v /:/host web sh",
    "docker build https://git.example/app.git",
    "docker login",
    "docker push r.example/i:1",
    "docker run --privileged alpine id",
    "docker run -v /var/run/docker.sock:/var/run/docker.sock alpine id",
    "skopeo delete docker://r.example/i:1",
    "crane copy a.example/i b.example/i",
    "lxc delete box --force",
    "distrobox-rm box",
    "apptainer push a.sif oras://r.example/a:1",
    "terraform apply",
    "terraform destroy -target aws_instance.a -auto-approve",
    "terraform state rm aws_instance.a",
    "pulumi up --yes",
    "ansible-playbook site.yml",
    "ansible-vault view secrets.yml",
    "vagrant destroy -f",
    "puppet apply site.pp",
    "salt '*' cmd.run uptime",
    "packer build image.pkr.hcl",
    "sacctmgr delete user ann",
)
DENIED = (
    "velero backup delete nightly",
    "eksctl delete cluster --name dev",
    "kops delete cluster dev.example --yes",
    "vcluster delete dev",
    "kubeadm reset -f",
    "kubectl delete deploy api --context production",
    "helm uninstall api --namespace prod",
    "docker system prune -a --volumes",
    "docker --context prod rm web",
    "DOCKER_HOST=ssh://prod-1 docker volume rm data",
    "podman unshare rm -rf ~",
    "lxc snapshot delete box snap0",
    "terraform destroy -auto-approve",
    "terragrunt run-all destroy",
    "ceph osd pool delete data data --yes-i-really-really-mean-it",
    "vagrant snapshot delete base",
    "argocd cluster rm dev",
    "apptainer exec a.sif rm -rf ~",
)


@pytest.mark.parametrize("line", ALLOWED)
def test_cluster_reading_and_local_boxes_pass(line: str, verdict: Judged) -> None:
    """Looking, planning and the project's own containers need nobody."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED)
def test_cluster_changes_are_asked_about(line: str, verdict: Judged) -> None:
    """Changes of clusters and estates, and boxes with data, are put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", DENIED)
def test_whole_clusters_and_backups_are_refused(line: str, verdict: Judged) -> None:
    """Whole clusters, backups and production are not given away."""
    assert verdict(line) == "deny"
