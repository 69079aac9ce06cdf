"""Which family describes which program: the part `near`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "files": (
        "advcp advmv bcwipe cp dc3dd dcfldd dd dd_rescue ddrescue detox ditto duff dupeguru "
        "eraser f2 fallocate fdupes finddupe gcp gdd ginstall gln gmkdir gmv grm grmdir gtouch "
        "gtruncate hardlink install jdupes link ln mcp mkdir mkfifo mknod mktemp mln mmv mv "
        "nomino perl-rename prename qcp qmv rdfind rename restore-trash rip rm rmdir rmlint "
        "rmtrash rnm scrub shred srm symlink tempfile touch trash trash-empty trash-list "
        "trash-put trash-restore truncate unlink vidir wipe xcp yes zmv "
    ),
    "guard": (
        "agent-guard agy aider amp auggie claude codex copilot crush cursor-agent droid gemini "
        "goose guard guard-hook guard-server kiro-cli opencode plandex qwen signoff "
    ),
    "interpreters": (
        ". R Rscript ash bash bb clisp clj clojure coffee crystal dash ecl elixir erl eval expect "
        "fish ghci groovy groovysh guile iex ipython java-shell jruby jshell julia kotlin ksh "
        "livescript lua lua5.3 lua5.4 luajit matlab mksh nimscript node nodejs ocaml octave "
        "octave-cli osascript perl perl5 php php8 powershell pwsh pypy pypy3 python python2 "
        "python3 python3.10 python3.11 python3.12 python3.13 python3.14 python3.9 racket rbash "
        "ruby runghc runhaskell sbcl scala scheme sh source swipl tclsh utop uvpy wish zsh "
    ),
    "net.http": ("curl curlie grpcurl-of http httpie https wget wget2 xh xhs "),
    "net.rclone": ("rclone "),
    "net.transfer": (
        "0x0 aerc arping autossh avahi-resolve bashupload bore chisel cloudflared croc cryptcat "
        "delv dig dog doggo drill expose ffsend fping frpc frps ftp geoiplookup gist gost grsync "
        "himalaya host inlets ix kdig lftp localtunnel lt magic-wormhole mail mailx mosh msmtp "
        "mtr mutt nc nc.openbsd nc.traditional ncat ncftp ncftpput neomutt netcat ngrok nmblookup "
        "nslookup onionshare-cli openssl pagekite pastebinit ping ping6 pscp q rcp "
        "resolvectl-query rsync s-nail sbd scp sendmail sftp slogin socat ssh sshuttle ssmtp "
        "swaks tailscale-file telnet termbin tftp tracepath traceroute transfer.sh tunnelto "
        "warpinator-send whois wormhole zrok "
    ),
    "vcs.git": (
        "git git-annex git-archive-file git-authors git-browse git-browse-ci git-brv git-bug "
        "git-checkout-index git-clear git-clear-soft git-cliff git-clone-fork git-coauthor-list "
        "git-commits-since git-contrib git-count git-create-branch git-delete-branch "
        "git-delete-merged-branches git-delete-squashed-branches git-delete-submodule "
        "git-delete-tag git-delta git-effort git-extras git-fame git-flow git-force-clone "
        "git-fork git-fresh-branch git-gh-pages git-guilt git-hook git-http-push git-ignore-io "
        "git-info git-lfs git-local-commits git-locked git-missing git-mr git-obliterate git-open "
        "git-p4 git-paste git-paste-list git-pr git-pr-create git-pull-request git-reauthor "
        "git-rebase-author git-release git-rename-branch git-rename-tag git-repl git-root "
        "git-rscp git-scp git-secret git-send-pack git-show-merged-branches git-show-tree "
        "git-show-unmerged-branches git-sizer git-standup git-stats git-subtree git-summary "
        "git-svn git-symbolic-ref git-sync git-undo "
    ),
    "vcs.others": (
        "av bfg brz bzr chezmoi chg ci co cocogitto commit-and-tag-version commitizen commitlint "
        "committed cvs cz darcs fork fossil ghstack git-branchless git-cola git-cz "
        "git-filter-repo git-machete git-secrets git-town gitg gitk gitkraken gitlint gitmoji "
        "gitstats gitui gitx gource gt hg ident jj lazygit merge onefetch p4 pijul qgit rcm rcs "
        "rcsdiff rcsfreeze rlog sccs smerge spr standard-version stg stow svn svnadmin "
        "svndumpfilter svnlook svnserve svnsync svnversion tig ungit vcsh yadm "
    ),
}
