"""Documentation, static sites, typesetting, code and diagram generators, scaffolding."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.databases import served
from signoff.actions.programs.dev.deeds import (
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CHANGES_PROJECT,
    LOGS_IN,
    LOOK,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.program import Program, program, sub


def _tex_setting(call: Call) -> Iterator[Effect]:
    """`tlmgr option showall` tells, `tlmgr option repository x` changes."""
    told = {"show", "showall", "list", "status", "help"}
    changes = len(call.operands) > (2 if call.name.endswith("conf") else 1)
    looks = not changes or not told.isdisjoint(call.texts)
    yield from call.perform(LOOK if looks else SETS_GLOBAL)


def _typeset(call: Call) -> Iterator[Effect]:
    """`pdflatex file`; a text given in its place may run `\\write18{command}`."""
    for word in call.operands:
        for part in word.text[:20_000].split("\\write18{")[1:51]:
            line = part.partition("}")[0]
            yield Nested(text=line, language="shell", carrier=f"{call.name} write18")
    yield from call.perform(BUILD)


OUT = "-o --output --out --outdir --output-dir -d --destination --dest --output-directory --outfile"
SERVING = sub(handler=served, values="-a --dev-addr -p --port -b --bind --host -H --hostname")
SITES = (
    program(
        "hugo zola mkdocs mdbook antora docfx eleventy gitbook docsify docusaurus vuepress "
        "vitepress "
        "hexo pelican nikola lektor hakyll soupault cobalt gutenberg bookdown retype mike quarto "
        "ghost "
        "astro-docs metalsmith wintersmith harp sails honkit",
        subs={
            "serve server preview livereload dev s watch start lift": SERVING,
            "deploy gh-deploy publish gh-pages": RELEASE,
            "clean clear": BUILT_GONE,
            "new init create generate g build test import convert mod add": CHANGES_PROJECT,
            "list config version env check doctor help get-deps info": LOOK,
            "install update": ADDED_FOR_USER,
        },
        handler=lambda call: call.perform(BUILD),
        values="-s --source -c --config -f --config-file -D -b --baseURL -p",
        writes=OUT,
    ),
    program(
        "sphinx-build sphinx-quickstart sphinx-apidoc sphinx-autogen doxygen doxywizard typedoc "
        "jsdoc esdoc documentation pdoc pdoc3 pydoc pydoc3 naturaldocs ldoc javasphinx haddock "
        "groovydoc dokka help2man ronn mandoc a2x rst2html rst2pdf markdown multimarkdown "
        "kramdown redcarpet docutils marp marp-cli slidev reveal-md mdp presenterm patat "
        "lookatme slides tpp sent landslide darkslide grip vmd texdoc po4a po4a-gettextize "
        "po4a-updatepo po4a-translate xgettext msgattrib msgcat msgfmt msgmerge msginit pybabel "
        "xml2man man2html txt2man txt2tags html2text redoc-cli widdershins",
        BUILD,
        values="-b -t --to -f --from -c --conf -s --standalone -V --variable --template -A -H -D "
        "-a "
        "-M --metadata --filter -F --lua-filter --pdf-engine --toc-depth -j",
        writes=OUT,
    ),
    program(
        "tex latex pdftex pdflatex lualatex luatex xelatex xetex",
        handler=_typeset,
        values="-output-directory -jobname -interaction",
        writes="-output-directory --output-directory",
    ),
    program(
        "context latexmk tectonic bibtex "
        "biber makeindex makeglossaries dvips dvipdfmx dvisvgm arara latexdiff latexindent "
        "chktex lacheck texfot kpsewhich mktexpk mktexfmt fmtutil updmap typst soelim lout",
        BUILD,
        values="-output-directory -jobname -interaction -e -r -P",
        writes="-output-directory --output-directory -o --outdir -outdir",
        acting={"-c -C": BUILT_GONE},
        runs="--shell-escape-command",
    ),
    program(
        "tlmgr",
        subs={
            "install update init-usertree": ADDED_FOR_USER,
            "repository option platform key conf paper restore": sub(handler=_tex_setting),
            "remove uninstall": TAKEN_FROM_USER,
            "search info list show print-platform version check dump-tlpdb help": LOOK,
            "gui backup path": SETS_GLOBAL,
        },
    ),
)
GENERATORS = (
    program(
        "protoc buf thrift flatc capnp avro-tools swagger swagger-codegen openapi-generator "
        "openapi-generator-cli oapi-codegen graphql-codegen quicktype json2ts datamodel-codegen "
        "sqlc jooq xjc wsimport kitex grpc_tools gqlgen ogen deepcopy-gen controller-gen "
        "kubebuilder operator-sdk mockery easyjson msgp yeoman plop hygen projen tyegoctl kratos "
        "gf revel beego buffalo asn1c lemon antlr antlr4 tree-sitter treesitter re2js pegjs "
        "nearley jison",
        BUILD,
        values="-I --proto_path -i --input-spec -g --generator-name --lang -l --plugin",
        writes="-o --out --output --descriptor_set_out --output-file",
        subs={"push": RELEASE, "registry login": LOGS_IN, "dep mod": CHANGES_PROJECT},
    ),
    program(
        "yo degit tiged gitignore gibo license gitignore.io",
        handler=package_install(shorthand=False),
    ),
    program(
        "gv2gml gv2gxl gvgen acyclic unflatten ccomps sccmap tred edgepaint mermaid pikchr "
        "svgbob blockdiag seqdiag nwdiag drawio structurizr schemaspy tbls treetime dijkstra "
        "gvpr nop gvedit tldraw",
        BUILD,
        values="-T -K -G -N -E -l -n -s -i -c",
        writes="-o --output",
    ),
    program(
        "sass scss lessc stylus postcss tailwindcss node-sass sassc purgecss cleancss csso "
        "terser uglifyjs html-minifier html-minifier-terser minify svgcleaner pug slimrb haml "
        "handlebars mustache nunjucks ejs eta lsc civet elm-make babel-node spack critique "
        "bower-installer",
        BUILD,
        values="-c --config -i --input -I --load-path -p",
        writes="-o --output --out-file --out-dir -d",
    ),
    program(
        "browser-sync live-server serve http-server light-server darkhttpd miniserve "
        "simple-http-server devd sirv local-web-server ws static-web-server",
        SERVES,
        values="-p --port -a --addr -l",
    ),
)
PROGRAMS: tuple[Program, ...] = (*SITES, *GENERATORS)
