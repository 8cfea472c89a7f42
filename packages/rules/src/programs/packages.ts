import type { Program, Programs } from './program.js'

const named: Program = {
  always: 'file',
  options: {
    code:
      '-C --dir --cwd --prefix --script-shell --node-options --shell --git --userconfig --globalconfig ' +
      '--config --rcfile --init-module',
  },
}
const execution: Program = {
  operand: 'program',
  bare: 'code',
  plain: '-y --yes -q --quiet --no --no-install -s --silent',
  options: { script: '-c --call --shell-mode', code: '-p --package --from --with' },
}
const looking: Program = {}

/** Programs that run the scripts, targets or binaries of a package, a project or an image. */
export const packages: Programs = {
  npm: {
    subcommands: {
      '*': named,
      'exec|x': execution,
      'run|run-script|rum|urn': { ...named, always: undefined, operand: 'file', plain: '-s --silent --if-present' },
      explore: { operand: 'program', skip: 1, bare: 'code' },
      ['ls|list|la|ll|view|info|show|v|outdated|why|explain|search|find|root|bin|ping|whoami|help|fund|query|prefix|' +
      '-v']: looking,
    },
  },
  'pnpm|yarn|bun|corepack|cnpm|nx|turbo|lerna|rush|wireit|ni|nr': {
    subcommands: {
      // A script of the package, or any program.
      '*': { ...named, always: 'program' },
      ['install|i|ci|add|remove|rm|uninstall|update|up|upgrade|test|t|start|build|publish|pack|link|unlink|audit|' +
      'dedupe|import|init|prune|rebuild']: named,
      'exec|dlx|x': execution,
      'run|run-script': { ...named, always: undefined, operand: 'file', plain: '-s --silent --if-present' },
      'ls|list|la|ll|view|info|outdated|why|explain|search|root|bin|help|licenses|-v': looking,
    },
  },
  'npx|pnpx|bunx|uvx|nlx|dlx|yarn-dlx': execution,
  'uv|rye|poetry|pdm|hatch|pipenv|pixi|conda|mamba|micromamba|bundle|bundler|pipx': {
    subcommands: {
      '*': named,
      'run|exec': execution,
      tool: { subcommands: { '*': named, run: execution, 'list|dir': looking } },
      pip: { subcommands: { '*': named, 'list|show|freeze|tree|check': looking } },
      'list|show|info|tree|search|check|outdated': looking,
    },
  },
  ['pip|pip2|pip3|gem|easy_install|brew|apt|apt-get|dnf|yum|pacman|apk|zypper|port|choco|scoop|winget|composer|opam|' +
  'luarocks|cpan|cpanm']: { subcommands: { '*': named, 'list|show|freeze|check|info|search|help|outdated': looking } },
  cargo: {
    subcommands: {
      '*': { always: 'file', options: { code: '--config -Z --manifest-path -C --target-dir' } },
      'tree|search|version|help|metadata|pkgid|-V': looking,
    },
  },
  go: {
    subcommands: {
      '*': {
        always: 'file',
        options: {
          code: '-exec* -toolexec* --exec --toolexec -vettool* -overlay* -modfile* -C -ldflags* -gcflags* ' + '-o',
        },
      },
      run: { operand: 'file', bare: 'code', plain: '-race -v -x -n' },
      'version|doc|help': looking,
    },
  },
  ['docker|podman|nerdctl|buildah|kubectl|oc|helm|k3s|minikube|kind|terraform|tofu|terragrunt|pulumi|packer|gcloud|az|' +
  'aws|fly|flyctl|heroku|vercel|netlify|wrangler|firebase|supabase|railway|eb|sam|cdk|serverless|sls']: {
    subcommands: {
      '*': {
        always: 'file',
        options: { code: '--post-renderer --entrypoint --command -v --volume --mount --privileged' },
      },
      'run|exec|create|debug|attach': {
        operand: 'program',
        skip: 1,
        bare: 'code',
        plain: '--rm -i -t -it -ti --interactive --tty -n= --namespace= -c= --container=',
      },
      ['ps|images|logs|inspect|version|info|stats|top|port|get|describe|explain|api-resources|api-versions|' +
      'cluster-info|status|whoami|list']: looking,
    },
  },
  ['make|gmake|bmake|just|task|rake|invoke|inv|doit|ninja|samu|ant|gradle|gradlew|mvn|mvnw|sbt|bazel|bazelisk|buck|' +
  'meson|scons|cmake|ctest|tox|nox|mage|earthly|grunt|gulp|waf|pre-commit|act|dagger']: {
    operand: 'file',
    isEach: true,
    bare: 'file',
    plain: '-s -k -n -j --silent --quiet --dry-run --just-print',
    argument: text => (/^[^-=][^=]*=/.test(text) ? 'code' : undefined),
    options: {
      code:
        '-f --file --makefile -C --directory -I --include-dir --eval -e -E -P --environment-overrides -D ' +
        '-c --config',
    },
  },
  'gh|glab|hub': {
    subcommands: {
      '*': { always: 'program' },
      'alias|extension|ext|extensions|codespace|cs|config|copilot': { always: 'code' },
      ['pr|issue|repo|api|auth|browse|release|run|workflow|search|status|label|secret|variable|gist|org|project|' +
      'ruleset|cache|attestation|mr|ci|ssh-key|gpg-key|version|help']: { options: { code: '--upload-pack --exec' } },
    },
  },
}
