"""Names of files and folders that mean something, as tables: data for `file_kinds.py`.

All names are lower case: they are compared case-blind, because some disks are. `IN_FOLDER` keys
match a run of components anywhere in a path, and everything below it (with a leading `/`, from
the root only); `AT_ROOT` keys the same from the root, `IN_HOME` directly in a home folder;
`NAMED` keys match the last component. A blank in a name is written `+`.

    IN_FOLDER[".git/hooks"] is FileKind.GIT_HOOK
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.operation import FileKind

K = FileKind


def _table(rows: tuple[tuple[FileKind, str], ...]) -> Mapping[str, FileKind]:
    return {name: kind for kind, names in rows for name in names.split()}


# Strongest first: a path that is several things counts as the first of them.
RANKING: tuple[FileKind, ...] = (
    K.GUARD,
    K.AUTHORIZED_KEYS,
    K.ACCOUNTS,
    K.CREDENTIALS,
    K.DEVICE,
    K.BOOT,
    K.KERNEL,
    K.AGENT_CONFIG,
    K.GIT_HOOK,
    K.SCHEDULE,
    K.SHELL_STARTUP,
    K.ENV,
    K.AUDIT_LOG,
    K.SHELL_HISTORY,
    K.GIT_INTERNAL,
    K.SYSTEM_BINARY,
    K.EDITOR_CONFIG,
    K.CI,
    K.AGENT_NOTES,
    K.TOOL_CONFIG,
    K.BACKUP,
    K.SYSTEM_CONFIG,
    K.MANIFEST,
    K.LOCK,
    K.CONTAINER,
    K.INFRA,
    K.BUILD,
    K.GENERATED,
    K.LOG,
    K.TEST,
    K.DOC,
    K.SOURCE,
    K.DATA,
    K.OTHER,
)

IN_FOLDER: Mapping[str, FileKind] = _table(
    (
        (
            K.GUARD,
            ".config/signoff .local/share/signoff .local/state/signoff .cache/signoff "
            "site-packages/signoff dist-packages/signoff bin/signoff scripts/signoff.exe "
            "library/application+support/signoff appdata/roaming/signoff appdata/local/signoff "
            "programdata/signoff program+files/signoff appdata/local/programs/signoff "
            # A user may name the guard by what it is.
            ".config/guard .local/share/guard .local/state/guard .cache/guard .config/agent-guard "
            ".local/share/agent-guard .local/state/agent-guard .local/bin/guard-hook "
            ".local/bin/guard .local/bin/agent-guard /etc/guard /var/lib/guard /var/log/guard "
            "/run/guard /opt/guard /etc/signoff /var/lib/signoff /var/log/signoff /run/signoff "
            "/opt/signoff /etc/agent-guard /var/lib/agent-guard "
            ".config/systemd/user/signoff.service library/launchagents/org.signoff.daemon.plist",
        ),
        (
            # Besides keys: files through which ssh runs programs for whoever comes or goes.
            K.AUTHORIZED_KEYS,
            ".ssh/authorized_keys .ssh/authorized_keys2 .ssh/config .ssh/config.d .ssh/rc "
            ".ssh/environment /etc/ssh/authorized_keys /etc/ssh/sshd_config.d .rhosts .shosts "
            "/etc/hosts.equiv programdata/ssh/administrators_authorized_keys",
        ),
        (
            K.CREDENTIALS,
            ".ssh .aws .azure .gnupg .password-store .config/gcloud .config/gh/hosts.yml "
            ".config/hub .config/glab-cli .config/weblate .config/ngrok .config/.jira "
            ".config/linode-cli .config/transifex .config/civo .kube .docker/config.json "
            ".config/doctl .config/containers/auth.json .config/op .config/1password "
            ".config/keybase .config/sops .config/age .config/rclone .config/hcloud .config/flyctl "
            ".fly .config/heroku .config/stripe .config/vercel .config/netlify .config/wrangler "
            ".wrangler/config .terraform.d/credentials.tfrc.json .terraformrc "
            ".pulumi/credentials.json .cargo/credentials .cargo/credentials.toml .gem/credentials "
            ".m2/settings.xml .gradle/gradle.properties .nuget/nuget.config .composer/auth.json "
            ".config/composer/auth.json .oci .ibmcloud .bluemix .cloudflared .vault-token "
            ".local/share/keyrings .kde/share/apps/kwallet .local/share/kwalletd .pki "
            "library/keychains library/cookies library/application+support/com.apple.tcc "
            ".mozilla .config/google-chrome .config/chromium .config/microsoft-edge "
            ".config/bravesoftware .config/vivaldi .config/opera .thunderbird "
            "library/application+support/google/chrome library/application+support/firefox "
            "library/application+support/bravesoftware library/application+support/microsoft+edge "
            "appdata/local/google/chrome appdata/roaming/mozilla appdata/local/microsoft/edge "
            "appdata/roaming/microsoft/credentials appdata/local/microsoft/credentials "
            "appdata/roaming/microsoft/protect appdata/local/microsoft/vault .bitcoin .ethereum "
            ".electrum .monero .solana .config/solana .near-credentials "
            "library/application+support/bitcoin library/application+support/exodus .config/exodus "
            ".config/signal .config/slack .config/discord .local/share/telegramdesktop "
            ".claude/.credentials.json .codex/auth.json "
            ".gemini/oauth_creds.json .local/share/opencode/auth.json .config/github-copilot "
            ".copilot/config.json .config/openai .config/anthropic .huggingface/token "
            ".cache/huggingface/token .kaggle/kaggle.json .config/hub/config .netlify/config.json "
            ".databrickscfg .snowsql/config .dbt/profiles.yml .config/earthengine .mylogin.cnf "
            ".config/psql .config/git/credentials .git/credentials /run/secrets /var/run/secrets "
            "/etc/kubernetes /etc/letsencrypt /etc/ssl/private /etc/wireguard /etc/openvpn "
            "/etc/ipsec.secrets /etc/rancher /etc/pki/tls/private /vault/file /vault/data "
            "/var/lib/kubelet /var/lib/jenkins/secrets .jenkins/secrets /var/lib/docker/swarm",
        ),
        (
            K.GIT_HOOK,
            ".git/hooks .husky .githooks .git-hooks .config/git/hooks .git-templates/hooks "
            ".git_template/hooks .pre-commit-hooks .lefthook .overcommit "
            "hooks/pre-commit hooks/pre-push hooks/post-checkout hooks/post-merge",
        ),
        (
            K.AGENT_CONFIG,
            ".claude/settings.json .claude/settings.local.json .claude/hooks .claude/plugins "
            ".claude/mcp.json .claude/managed-settings.json .claude-plugin /etc/claude-code "
            "library/application+support/claudecode library/application+support/claude "
            "appdata/roaming/claude programdata/claudecode program+files/claudecode "
            ".config/claude .codex/config.toml .codex/hooks.json "
            ".codex/hooks .codex/rules .codex/requirements.toml /etc/codex .cursor/mcp.json "
            ".cursor/hooks.json .cursor/hooks .cursor/cli.json .cursor/cli-config.json "
            ".cursor/permissions.json .cursor/environment.json /etc/cursor "
            "library/application+support/cursor .config/cursor .gemini/settings.json "
            ".gemini/config .gemini/extensions .gemini/policies .gemini/hooks /etc/gemini-cli "
            ".agents/hooks.json .agents/settings.json .github/hooks .copilot .github/copilot "
            ".windsurf/hooks.json .windsurf/mcp_config.json .codeium /etc/windsurf "
            "library/application+support/windsurf .clinerules/hooks documents/cline/hooks .cline "
            ".roo/mcp.json .roo/settings.json .kilocode/mcp.json .opencode/plugin "
            ".opencode/plugins .opencode/tool .opencode/opencode.json .config/opencode "
            ".kiro/settings .kiro/hooks .kiro/agents .amazonq/mcp.json .amazonq/cli-agents "
            ".aws/amazonq .continue/config.json .continue/config.yaml .continue/config.ts "
            ".continue/mcpservers .continue/permissions.yaml .zed/settings.json "
            ".config/zed/settings.json .aider.conf.yml .goosehints .config/goose .config/crush "
            ".crush .qwen/settings.json .openclaw .factory/settings.json .factory/mcp.json "
            ".augment/settings.json .junie/mcp .trae/mcp.json .amp/settings.json .config/amp "
            ".warp/mcp .vscode/mcp.json",
        ),
        (
            K.AGENT_NOTES,
            ".claude .codex .cursor .gemini .agents .windsurf .clinerules .roo .kilocode "
            ".opencode .kiro .amazonq .continue .qwen .factory .augment .junie .trae .amp "
            ".github/copilot-instructions.md .github/instructions .github/prompts "
            ".github/chatmodes .github/agents",
        ),
        (
            K.EDITOR_CONFIG,
            ".vscode .idea .zed .fleet .nvim .sublime .devcontainer .vs .vim .emacs.d .config/nvim "
            ".config/emacs .doom.d .config/helix .config/kak",
        ),
        (
            K.CI,
            ".github/workflows .github/actions .gitlab/ci .circleci .buildkite .gitea/workflows "
            ".forgejo/workflows .woodpecker .semaphore .tekton .drone .travis .azure-pipelines "
            ".teamcity .harness .github/dependabot.yml .github/codeowners",
        ),
        (
            K.SCHEDULE,
            "/etc/cron.d /etc/cron.daily /etc/cron.hourly /etc/cron.weekly /etc/cron.monthly "
            "/etc/crontab /etc/anacrontab /var/spool/cron /var/spool/at /etc/at.allow "
            "/etc/systemd .config/systemd .local/share/systemd /lib/systemd /usr/lib/systemd "
            "/run/systemd/system library/launchagents library/launchdaemons library/startupitems "
            "/etc/init.d /etc/rc.local /etc/rc.d /etc/init /etc/xdg/autostart .config/autostart "
            ".config/autostart-scripts .config/plasma-workspace /etc/dbus-1 "
            "start+menu/programs/startup windows/system32/tasks /etc/udev /etc/logrotate.d "
            "/etc/logrotate.conf /etc/apt/apt.conf.d /etc/networkmanager/dispatcher.d "
            "/etc/aliases /etc/mail/aliases /etc/postfix/aliases .forward .procmailrc "
            "/etc/ppp/ip-up.d /etc/dhcp/dhclient-exit-hooks.d /etc/update-motd.d",
        ),
        (
            K.SHELL_STARTUP,
            "conda/activate.d conda/deactivate.d "
            ".config/fish .config/nushell .oh-my-zsh .bash_it .bashrc.d .zshrc.d .profile.d "
            ".config/zsh .config/bash .config/powershell documents/powershell "
            "documents/windowspowershell /etc/profile.d /etc/profile /etc/bash.bashrc /etc/bashrc "
            "/etc/zsh /etc/zshrc /etc/zprofile /etc/zshenv /etc/fish /etc/environment "
            "/etc/environment.d .config/environment.d",
        ),
        (K.GIT_INTERNAL, ".git .hg .svn .jj .bzr"),
        (
            K.TOOL_CONFIG,
            ".config/git .config/pip .pip .config/uv .config/npm .config/yarn .cargo/config "
            ".cargo/config.toml .bundle/config .config/pypoetry .gnupg/gpg-agent.conf .config/nix "
            ".config/containers .config/tmux .config/direnv .subversion "
            # What these load whenever they start.
            ".gradle/init.d .gradle/init.gradle .gradle/init.gradle.kts .ipython/profile_default "
            ".jupyter .julia/config .sbt .m2/extensions.xml .config/gdb .config/mpv/scripts",
        ),
        (
            K.INFRA,
            "terraform .terraform k8s kubernetes helm charts manifests/k8s ansible kustomize",
        ),
        (K.BACKUP, "backup backups .backup .backups .snapshots .zfs/snapshot timemachine"),
    )
)

AT_ROOT: Mapping[str, FileKind] = _table(
    (
        (
            K.ACCOUNTS,
            "etc/passwd etc/passwd- etc/shadow etc/shadow- etc/group etc/gshadow etc/sudoers "
            "etc/sudoers.d etc/doas.conf etc/pam.d etc/pam.conf etc/security etc/login.defs "
            "etc/master.passwd etc/opasswd etc/subuid etc/subgid etc/polkit-1 etc/shells "
            "etc/nsswitch.conf var/db/dslocal etc/krb5.keytab etc/sssd "
            "c:/windows/system32/config/sam c:/windows/system32/config/system",
        ),
        (
            K.BOOT,
            "boot efi etc/default/grub etc/grub.d etc/fstab etc/crypttab etc/initramfs-tools "
            "etc/modules etc/modules-load.d etc/modprobe.d etc/dracut.conf lib/modules "
            "usr/lib/modules etc/inittab etc/mkinitcpio.conf",
        ),
        (K.KERNEL, "proc sys etc/sysctl.conf etc/sysctl.d"),
        (K.DEVICE, "dev"),
        (
            K.AUDIT_LOG,
            "var/log etc/audit etc/rsyslog.conf etc/rsyslog.d etc/syslog.conf var/run/utmp "
            "run/utmp etc/syslog-ng library/logs private/var/log c:/windows/system32/winevt",
        ),
        (
            K.SYSTEM_BINARY,
            "bin sbin lib lib32 lib64 libx32 usr system applications c:/windows opt/homebrew "
            "etc/ld.so.preload etc/ld.so.conf etc/ld.so.conf.d etc/alternatives snap/bin nix/store",
        ),
        (K.SYSTEM_CONFIG, "etc library var/lib usr/local/etc opt/homebrew/etc"),
        (K.BACKUP, "var/backups var/backup backup backups"),
    )
)

NAMED: Mapping[str, FileKind] = _table(
    (
        (
            K.GUARD,
            ".signoff.yaml .signoff.yml signoff.yaml signoff.yml signoff.sock signoff.db .signoff",
        ),
        (K.AUTHORIZED_KEYS, "authorized_keys authorized_keys2"),
        (
            K.CREDENTIALS,
            ".netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .pypirc .git-credentials "
            ".vault-token .boto .s3cfg .htpasswd .dockercfg credentials credentials.json "
            "credentials.yml credentials.yaml client_secret.json "
            "application_default_credentials.json id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk "
            "id_ed25519_sk identity.key master.key kubeconfig .kubeconfig kaggle.json wallet.dat "
            "login.keychain-db keychain-db logins.json key3.db key4.db cookies.sqlite "
            ".terraformrc secrets.yml secrets.yaml secrets.json secrets.toml .secrets vault.yml "
            "vault.yaml serviceaccountkey.json service_account.json firebase-adminsdk.json "
            "key.properties keystore.properties signing.properties .cdsapirc .ecmwfapirc .msmtprc "
            ".fetchmailrc .mbsyncrc .vault_pass .vault-password .ansible_vault_pass "
            ".databrickscfg unseal.key",
        ),
        (K.ENV, ".env .envrc .dev.vars .flaskenv"),
        (
            K.GIT_HOOK,
            ".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.yml "
            "lefthook.yaml .lefthook.yml .lefthook.toml lefthook.toml .overcommit.yml .huskyrc "
            ".huskyrc.json .huskyrc.js .lintstagedrc .lintstagedrc.json lint-staged.config.js "
            "simple-git-hooks.json .simple-git-hooks.json",
        ),
        (
            K.AGENT_CONFIG,
            ".mcp.json mcp.json mcp_config.json claude_desktop_config.json .claude.json "
            "managed-settings.json opencode.json opencode.jsonc cline_mcp_settings.json "
            "mcp_settings.json .aider.conf.yml crush.json .crush.json agent-hooks.json "
            "managed-mcp.json .roomodes .cursorignore .aiderignore .geminiignore",
        ),
        (
            K.AGENT_NOTES,
            "claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md "
            ".cursorrules .windsurfrules .clinerules .roorules .goosehints "
            "copilot-instructions.md skill.md memory.md conventions.md crush.md warp.md junie.md "
            ".rules",
        ),
        (
            K.SHELL_STARTUP,
            ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
            ".zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xinitrc .xprofile "
            ".xsession .xsessionrc .xresources config.fish .mkshrc .pam_environment .zsh_aliases "
            "microsoft.powershell_profile.ps1 profile.ps1 .aliases .exports .functions",
        ),
        (
            K.SHELL_HISTORY,
            ".bash_history .zsh_history .history .sh_history .python_history .node_repl_history "
            ".psql_history .mysql_history .sqlite_history .rediscli_history .fish_history "
            "fish_history .lesshst .irb_history .ash_history .ksh_history .histfile "
            "consolehost_history.txt .dbshell .viminfo",
        ),
        (
            K.EDITOR_CONFIG,
            ".vimrc .gvimrc .exrc .nvimrc .ideavimrc .emacs .spacemacs .nvim.lua .exrc.lua",
        ),
        (
            K.CI,
            ".gitlab-ci.yml .gitlab-ci.yaml jenkinsfile .travis.yml azure-pipelines.yml "
            "azure-pipelines.yaml .drone.yml .drone.yaml bitbucket-pipelines.yml buildspec.yml "
            "buildspec.yaml cloudbuild.yaml cloudbuild.yml .appveyor.yml appveyor.yml .cirrus.yml "
            "wercker.yml codemagic.yaml buildkite.yml .woodpecker.yml .woodpecker.yaml "
            "screwdriver.yaml .semaphore.yml codeowners renovate.json .renovaterc dependabot.yml",
        ),
        (
            K.MANIFEST,
            "package.json pyproject.toml cargo.toml go.mod gemfile composer.json pom.xml "
            "build.sbt mix.exs pubspec.yaml podfile cartfile package.swift requirements.txt "
            "pipfile setup.cfg environment.yml environment.yaml deno.json deno.jsonc bower.json "
            "go.work pnpm-workspace.yaml lerna.json rebar.config project.clj deps.edn dub.json "
            "conanfile.txt conanfile.py vcpkg.json flake.nix paket.dependencies "
            "directory.build.props directory.packages.props cpanfile jsr.json constraints.txt",
        ),
        (
            K.LOCK,
            "package-lock.json yarn.lock pnpm-lock.yaml npm-shrinkwrap.json bun.lock bun.lockb "
            "poetry.lock uv.lock pdm.lock pipfile.lock cargo.lock go.sum go.work.sum gemfile.lock "
            "composer.lock mix.lock pubspec.lock podfile.lock package.resolved flake.lock "
            "deno.lock gradle.lockfile conda-lock.yml packages.lock.json .terraform.lock.hcl "
            "paket.lock cartfile.resolved pixi.lock",
        ),
        (
            K.BUILD,
            "makefile gnumakefile bsdmakefile cmakelists.txt build.rs setup.py conftest.py "
            "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties "
            "gradlew gradlew.bat mvnw mvnw.cmd gradle-wrapper.properties meson.build "
            "meson_options.txt build.xml build.ninja sconstruct sconscript wscript rakefile "
            "fastfile justfile .justfile taskfile.yml taskfile.yaml tox.ini noxfile.py "
            "fabfile.py dodo.py build.bazel module.bazel workspace.bazel .bazelrc configure "
            "configure.ac configure.in makefile.am makefile.in binding.gyp gulpfile.js gulpfile.ts "
            "gruntfile.js webpack.config.js webpack.config.ts vite.config.js vite.config.ts "
            "vite.config.mjs rollup.config.js rollup.config.mjs esbuild.config.js esbuild.js "
            "next.config.js next.config.mjs next.config.ts nuxt.config.ts nuxt.config.js "
            "babel.config.js .babelrc.js jest.config.js jest.config.ts vitest.config.ts "
            "vitest.config.js playwright.config.ts cypress.config.js cypress.config.ts "
            "metro.config.js postcss.config.js tailwind.config.js svelte.config.js "
            "astro.config.mjs eslint.config.js eslint.config.mjs .eslintrc.js sitecustomize.py "
            "usercustomize.py magefile.go build.zig default.nix shell.nix earthfile tiltfile "
            "skaffold.yaml snakefile build.sc build.mill setup.js install.js postinstall.js "
            "preinstall.js pre_build.py post_build.py prebuild.py postbuild.py extra_script.py "
            "hatch_build.py karma.conf.js pytest.ini spec_helper.rb rails_helper.rb "
            "jest.setup.js jest.setup.ts vitest.setup.js vitest.setup.ts setuptests.js "
            "setuptests.ts wdio.conf.js protractor.conf.js eslint.config.ts "
            "rollup.config.ts nuxt.config.mjs svelte.config.ts astro.config.ts tailwind.config.ts "
            "postcss.config.cjs",
        ),
        (
            K.CONTAINER,
            "dockerfile containerfile docker-compose.yml docker-compose.yaml compose.yml "
            "compose.yaml .dockerignore docker-bake.hcl docker-entrypoint.sh entrypoint.sh "
            "entrypoint devcontainer.json .devcontainer.json procfile vagrantfile "
            "podman-compose.yml",
        ),
        (
            K.INFRA,
            "chart.yaml kustomization.yaml kustomization.yml serverless.yml serverless.yaml "
            "terragrunt.hcl terraform.tfstate terraform.tfvars pulumi.yaml cdk.json "
            "samconfig.toml helmfile.yaml fly.toml vercel.json netlify.toml wrangler.toml "
            "wrangler.jsonc app.yaml render.yaml railway.toml nomad.hcl ansible.cfg playbook.yml "
            "site.yml firebase.json firestore.rules database.rules.json storage.rules",
        ),
        (
            K.TOOL_CONFIG,
            ".gitconfig .gitattributes .gitmodules pip.conf pip.ini .condarc .yarnrc .bunfig.toml "
            "bunfig.toml .npmrc .yarnrc.yml .curlrc .wgetrc .gdbinit "
            ".lldbinit .pdbrc .pythonrc .pythonstartup .tmux.conf .screenrc .editorconfig .gemrc "
            ".bundle .irbrc .pryrc .psqlrc .sqliterc .ackrc .rgrc .ripgreprc .hgrc .npmignore "
            ".mise.toml mise.toml .tool-versions .inputrc uv.toml poetry.toml nuget.config "
            ".direnvrc .condarc .rprofile .lesskey .nanorc .dircolors .ctags .gitignore_global "
            "known_hosts jvm.config .jvmopts maven.config .ghci .octaverc .tclshrc .guile .sbclrc",
        ),
        (K.AUDIT_LOG, "audit.log auth.log wtmp btmp lastlog utmp utmpx wtmpx faillog"),
        (
            K.DOC,
            "readme license licence copying changelog changes news authors contributing notice "
            "todo security.md code_of_conduct.md readme.md",
        ),
        (K.DATA, "known_hosts known_hosts.old"),
    )
)

IN_HOME: Mapping[str, FileKind] = {
    ".npmrc": K.CREDENTIALS,
    ".yarnrc.yml": K.CREDENTIALS,
    ".cargo": K.TOOL_CONFIG,
    # Tools that keep the token of their service in a file of their own.
    **dict.fromkeys(
        (
            *(".transifexrc", ".crowdin.yml", ".crowdin.yaml", ".sentryclirc", ".wakatime.cfg"),
            *(".phraseapp.yml", ".netlifyrc", ".twurlrc", ".gist", ".vultr-cli.yaml", ".civo.json"),
            *(".lokalise2.yml", ".doctlcfg", ".pivotalrc", ".ngrok2", ".jira.d", ".surgerc"),
        ),
        K.CREDENTIALS,
    ),
}
