"""Which family describes which program: the part `infra`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "infra.agents": (
        "aichat algokit amtool anchor anthropic aptos arest balena banana baseten beam blynk "
        "cardano-cli celocli cerebrium cfcli chatblade chatgpt chip-tool civitai clarinet "
        "clawdbot cli4 cloudflare cloudquery cloudsplaining cohere cortextool dcgmi dfx "
        "dnscontrol dnsimple doctl-dns dsq dstack edgecloud esphome eth fal fastly flarectl flow "
        "fwup gaiad gandi goal godaddy golioth gpt gradient greengrass-cli groq ha hap hass-cli "
        "homekit hue jaeger-query jarvis jenkins jenkins-agent kasa lambda-cloud langgraph "
        "langsmith lexicon lightning lightning-cli llm lncli logcli lokitool marzban marzban-cli "
        "memfault mender-artifact mender-cli miiocli mimirtool mistral modal mods moltbot "
        "namecheap near nerves neutrond nodered-cli notehub nsca octodns-compare octodns-dump "
        "octodns-sync octodns-validate octosql openai openclaw openhab-cli ord paperspace "
        "parliament particle pdnsctl polkadot porkbun powerpipe proctl promtool q-text-as-data "
        "replicate roboflow route53 runpodctl sdb send_nsca sequin sequin-cli sgpt shell-gpt sky "
        "skypilot solana-keygen soroban spl-token starkli statsd-client steampipe stellar subkey "
        "tempo-cli textql tezos-client tgpt thingsboard tizen together ton trdsql tuya-cli vastai "
        "wasmd x11docker xrpl yai zabbix_sender zeroclaw zeroclaw-agent zeroclaw-channel "
        "zeroclaw-daemon zeroclaw-gateway zeroclaw-migrate zeroclaw-models zigbee2mqtt "
    ),
    "infra.aws": (
        "amplify assume aws aws-azure-login aws-google-auth aws-okta aws-sso aws-sso-util "
        "aws-vault aws2 awslocal awsume cdk cdklocal chalice cli53 eb gimme-aws-creds granted "
        "leapp sam saml2aws samlocal yawsso "
    ),
    "infra.boxes": (
        "apptainer crictl ctr distrobox distrobox-create distrobox-enter distrobox-export "
        "distrobox-list distrobox-ls distrobox-rm distrobox-stop distrobox-upgrade incus lxc lxd "
        "multipass singularity toolbox toolbx "
    ),
    "infra.brokers": (
        "activemq artemis beanstalkd-cli cadence camunda ccloud-cli conductor confluent emqx "
        "emqx_ctl faktory gearadmin hivemq inngest kafka-acls kafka-acls.sh "
        "kafka-broker-api-versions kafka-broker-api-versions.sh kafka-configs kafka-configs.sh "
        "kafka-console-consumer kafka-console-consumer.sh kafka-console-producer "
        "kafka-console-producer.sh kafka-consumer-groups kafka-consumer-groups.sh "
        "kafka-consumer-perf-test kafka-delegation-tokens kafka-delegation-tokens.sh "
        "kafka-delete-records kafka-delete-records.sh kafka-dump-log kafka-dump-log.sh "
        "kafka-features kafka-features.sh kafka-get-offsets kafka-get-offsets.sh "
        "kafka-leader-election kafka-leader-election.sh kafka-log-dirs kafka-log-dirs.sh "
        "kafka-metadata-quorum kafka-metadata-quorum.sh kafka-producer-perf-test "
        "kafka-reassign-partitions kafka-reassign-partitions.sh kafka-server-start "
        "kafka-server-start.sh kafka-server-stop kafka-server-stop.sh kafka-storage "
        "kafka-storage.sh kafka-streams-application-reset kafka-streams-application-reset.sh "
        "kafka-topics kafka-topics.sh kafka-transactions kafka-transactions.sh "
        "kafka-verifiable-consumer kafka-verifiable-producer kafkacat kcat mosquitto "
        "mosquitto_ctrl nats nats-server nsc pulsar-admin pulsar-client pulsarctl "
        "rabbitmq-diagnostics rabbitmq-plugins rabbitmq-queues rabbitmq-server rabbitmq-streams "
        "rabbitmq-upgrade rabbitmqadmin rabbitmqctl resque rpk rq-dashboard sidekiqctl sqs-cli "
        "stompctl tctl temporal trigger vernemq vmq-admin zbctl zkCli.sh zookeeper-server-start "
        "zookeeper-server-start.sh zookeeper-shell-get zookeepercli "
    ),
    "infra.clouds": (
        "aliyun az bq brightbox bx cherryctl cinder civo cloudscale deployctl designate doctl "
        "equinix exo gcloud gcloud-beta gcpdiag glance gridscale gscloud hcloud heat hetzner "
        "hostinger huaweicloud ibmcloud ionos ionosctl ironic joyent kamatera katapult keystone "
        "koyeb latitude linode linode-cli lsh metal neutron nifcloud nova oci octavia openstack "
        "otc ovhai packet rack rackspace scw stackit tccli triton upctl vultr vultr-cli yc "
    ),
    "infra.clusters": (
        "helm helm2 helm3 k k3s-kubectl kubecolor kubectl kubectl.exe microk8s.kubectl "
        "minikube-kubectl oc "
    ),
    "infra.computing": (
        "abf beegfs-ctl bhosts bjobs bkill bodhi bqueues bsub ceph ceph-volume cephadm "
        "cephfs-shell checkjob cibadmin condor_hold condor_q condor_release condor_rm "
        "condor_status condor_submit copr corosync-cfgtool crm crm_mon crm_resource drbdadm "
        "fedora-messaging gitlab-backup gitlab-ctl gitlab-rake gluster glusterd juicefs koji lfs "
        "linstor longhornctl mfs mmfs moosefs openebs osc pbsnodes pcs qdel qhold qhost qlogin "
        "qrls qrsh qstat qsub rados radosgw-admin rbd sacct sacctmgr salloc sattach sbatch sbcast "
        "scancel scontrol sdiag sh5util showq sinfo smap sprio squeue sreport srun sshare sstat "
        "stonith_admin strigger sview weed "
    ),
    "infra.containers": (
        "buildah buildctl buildkitd conmon containerd crun docker docker-compose docker-machine "
        "docker.io dockerd executor finch img kaniko kubelet nerdctl podman podman-compose "
        "podman-remote runc youki "
    ),
    "infra.databases": (
        "bcp beeline bsondump clickhouse clickhouse-client clickhouse-server clusterdb "
        "cockroach-sql cqlsh createdb createuser dbeaver dbeaver-cli dropdb dropuser duckdb "
        "edgedb etcd gel hive impala-shell influxd influxd-dump initdb isql litecli litestream "
        "mariadb mariadb-admin mariadb-binlog mariadb-check mariadb-dump mariadb-import "
        "mariadb-install-db mariadb-secure-installation mariadb-show mariadb-slap "
        "mariadb-tzinfo-to-sql mariadb-upgrade memcached mongod mongodump mongoexport mongofiles "
        "mongoimport mongorestore mongostat mongotop mssql-cli mycli mysql mysql_config "
        "mysql_install_db mysql_secure_installation mysql_tzinfo_to_sql mysql_upgrade mysqladmin "
        "mysqlbinlog mysqlcheck mysqld mysqld_safe mysqldump mysqlimport mysqlshow mysqlslap "
        "parquet-tools pg_amcheck pg_archivecleanup pg_basebackup pg_checksums pg_combinebackup "
        "pg_config pg_controldata pg_createcluster pg_createsubscriber pg_ctl pg_ctlcluster "
        "pg_dropcluster pg_dump pg_dumpall pg_isready pg_lsclusters pg_receivewal pg_recvlogical "
        "pg_resetwal pg_resetxlog pg_restore pg_rewind pg_test_fsync pg_test_timing pg_upgrade "
        "pg_upgradecluster pg_verifybackup pg_waldump pg_walsummary pgbench pgcli pgloader "
        "postgres presto psql questdb redis-benchmark redis-dump redis-server reindexdb rqlite "
        "rsql scylla-cqlsh snowsql spark-sql sql sqlcmd sqlite sqlite-utils sqlite3 sqlplus trino "
        "tsql usql vacuumdb vsql "
    ),
    "infra.documents": ("mongo mongosh "),
    "infra.ecosystem": (
        "acorn-dev aksctl argo argo-cd argocd bosh boundary bridge-to-kubernetes calicoctl "
        "capsule chaosctl chart-testing cilium clusterctl cmctl colima consul-k8s crc crossplane "
        "ct ctlptl dapr datree dcos devpod devpod-pro devspace draft eksctl flux fluxctl garden "
        "gardenctl helm-docs helmfile helmsman helmwave hubble imgpkg istioctl juju k0s k0sctl "
        "k10 k3d k3s k3s-agent-uninstall.sh k3s-killall.sh k3s-uninstall.sh k3sup "
        "k8s-unused-secret-detector k8sec k8ssandra k9s kail kapp karmadactl kbld kctx kind kk kn "
        "kns kompose kops krew ksctl kube-bench kube-capacity kube-fzf kube-hunter kube-score "
        "kubeadm kubeapps kubeaudit kubeconform kubectl-argo-rollouts kubectl-ssm-secret "
        "kubectl-tree kubectx kubefwd kubens kubent kubermatic kubescape kubeseal kubesec "
        "kubeshark kubespray kubeswitch kubetail kubeval kubie kudo kumactl kustomize levant lima "
        "limactl linkerd litmusctl loft maas mesosctl microk8s minikube minikube-admin minishift "
        "mirrord nelm nocalhost nomad nomad-pack ocm ocm-cli odo okteto om openshift-install orb "
        "orbctl pluto podman-desktop polaris popeye rancher rbac-lookup rbac-tool rdctl rke rke2 "
        "rke2-uninstall.sh rosa sealos skaffold stern subctl submariner talosctl telepresence "
        "tilt tkn vcluster vela velero vendir vind virtctl waypoint werf ytt "
    ),
    "infra.images": (
        "clair cntr container-diff cosign crane ctop dive dockdiver docker-debug docker-slim "
        "dockle dockviz dry gcrane grype hadolint lazydocker notation oras podman-tui regctl "
        "rekor-cli skopeo slim syft trivy whaler "
    ),
    "infra.keyvalue": (
        "airbyte arangosh barman cbq cockroach confluent-cloud consul couchbase-cli cypher-shell "
        "databricks dolt dragonfly-cli dremio elasticsearch-certgen elasticsearch-certutil "
        "elasticsearch-create-enrollment-token elasticsearch-keystore elasticsearch-node "
        "elasticsearch-plugin elasticsearch-reset-password elasticsearch-saml-metadata "
        "elasticsearch-service-tokens elasticsearch-setup-passwords elasticsearch-shard "
        "elasticsearch-syskeygen etcdctl etcdutl fivetran influx influx_inspect iredis keydb-cli "
        "kibana-keystore kibana-plugin logstash-keystore logstash-plugin mariabackup meltano "
        "mydumper myloader neo4j neo4j-admin nodetool opensearch-plugin orchestrator patronictl "
        "pd-ctl pgbackrest redis-cli repmgr rethinkdb scylla snow snowflake sqlmesh starburst "
        "stolonctl surreal tarantoolctl tikv-ctl tiup tt valkey-cli wal-g xtrabackup yb-admin "
        "ycqlsh ysqlsh "
    ),
    "infra.platforms": (
        "acorn aiven apex appwrite architect architect-cli astra atlas avn begin caprover cb "
        "ccloud cf cf7 cf8 clasp claudia clever cockroach-cloud convex coolify crunchybridge "
        "dokku edgedb-cloud encore epinio expo-cli faas faas-cli fauna firebase fission fly "
        "flyctl func functions-framework gam gcf gigalixir heroku kn-func koyebctl mongocli neon "
        "neonctl netlify nhost nitric northflank now ntl nuctl openwhisk piku planetscale "
        "planetscale-cli platform porter pscale qovery railway redis-cloud render scalingo seed "
        "serverless sherpa shopify sls sst supabase surge tembo tidbcloud tiger timescale tsuru "
        "turso upstash upsun vc vercel wing wrangler wsk xata yugabyte zappa zeabur "
    ),
    "infra.provisioning": (
        "ansible ansible-builder ansible-config ansible-console ansible-creator ansible-doc "
        "ansible-galaxy ansible-inventory ansible-lint ansible-navigator ansible-playbook "
        "ansible-pull ansible-test ansible-vault aws-nuke azure-nuke berks bolt capistrano-deploy "
        "cdktf cf-agent cfengine cfn-lint cfn_nag checkov chef chef-apply chef-client chef-solo "
        "cinc-client cloud-nuke colmena conftest deploy-rs driftctl fab gcp-nuke hab habitat "
        "infracost inframap inspec itamae kics knife mgmt mitamae molecule morph nixops opa "
        "packer parallel-ssh pike pnuke prsync pslurp pssh pulumi puppet puppet-agent pyinfra "
        "regula salt salt-call salt-cloud salt-cp salt-key salt-run salt-ssh tenv terracognita "
        "terraform terraform-docs terraformer terragrunt terramate terrascan tf tflint tfsec tofu "
        "tofuenv vagrant "
    ),
    "infra.saas": (
        "airtable algolia amplitude anchore-cli asana auth0 authentik axiom basecamp betterstack "
        "bitrise braze brevo buddy bugsnag buildkite-agent casdoor chainctl checkly chronosphere "
        "circleci cirrus clerk clickup cloudsmith concourse confluence contentful coralogix "
        "courier-cli coveo cronitor customerio datadog datadog-ci ddog depot descope directus "
        "drone drush dtctl dynatrace earthly-cloud elastic-package figma flagsmith freshdesk fury "
        "fusionauth gcalcli gemfury grafana grafana-cli grafanactl grr harness honeycomb hubspot "
        "hydroxide hyperping ifttt instana intercom jf jfrog jira joomla kcadm kcadm.sh keto "
        "klaviyo launchdarkly ldcli lightstep linear logdna logz magento magerun mailchimp "
        "mailgun meilisearch messagebird miro mixpanel monaco monday n8n n98-magerun n98-magerun2 "
        "newrelic nexmo nexus-cli notion novu nr1 okta opsgenie ory packagecloud pagerduty pd "
        "plivo posthog postmark prismic promlens redmine resend rollbar rudder salesforce sanity "
        "segment sem semaphore sendgrid sentry-cli servicenow sf sfdx shortcut spacelift "
        "split-cli splunk statsig statuspage storyblok strapi stripe stytch sumologic supertokens "
        "tanzu td teamcity telnyx todoist travis trello tw twilio typesense unleash uptime-kuma "
        "vonage workos wp youtrack zapier zendesk "
    ),
    "infra.stores": (
        "azcopy azurite b2 b2v3 backblaze-b2 coscli dropbox-cli fake-gcs-server gof3r gsutil "
        "immich ipfs mc mcli mega-exec mega-get mega-ls mega-rm megals megarm megatools minio "
        "obsutil ossutil ossutil64 owncloudcmd rmapi s3cmd s3proxy s4cmd s5cmd seaf-cli storj "
        "swarm-cli uplink yandex-disk "
    ),
    "infra.vaults": (
        "1password akeyless bao berglas biscuit bw bws chamber confidant conjur conjurize "
        "credstash dashlane-cli delinea doppler dotenv-vault dotenvx ejson envchain envkey "
        "envkey-source gcp-secret hcp-vault-secrets infisical keeper keeper-commander keybase "
        "knox ks op openbao pam-cli passbolt phase protonpass psono-ci securden summon teller "
        "torus tss vault "
    ),
}
