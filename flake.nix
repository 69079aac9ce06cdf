{
  description = "signoff: the sign-off layer between AI agents and what they do";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      # signoff's readers are part of its verdicts, so its dependencies are the locked wheels and not
      # those of nixpkgs: the environment is made by uv on the first start, by hash, and kept.
      packages = each (pkgs: {
        default = pkgs.writeShellApplication {
          name = "signoff";
          runtimeInputs = [ pkgs.uv pkgs.python313 ];
          text = ''
            digest="$(sha256sum ${./requirements/run.txt} | cut -c1-16)"
            home="''${XDG_DATA_HOME:-$HOME/.local/share}/signoff-nix/${self.shortRev or "dirty"}-$digest"
            if [ ! -x "$home/bin/signoff" ]; then
              uv venv --quiet --python ${pkgs.python313}/bin/python3 "$home"
              uv pip install --quiet --python "$home/bin/python" --require-hashes --no-deps \
                --only-binary :all: -r ${./requirements/run.txt} -r ${./requirements/build.txt}
              uv pip install --quiet --python "$home/bin/python" --no-deps --no-build-isolation ${self}
            fi
            exec "$home/bin/signoff" "$@"
          '';
        };
      });

      apps = each (pkgs: {
        default = {
          type = "app";
          program = "${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/signoff";
        };
      });
    };
}
