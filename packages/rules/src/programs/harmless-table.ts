/**
 * Words with which each program does only its own work. A name may include words of the program: `git log|show` means
 * `git log` and `git show`, which also have the options of `git`. Everything that is missing here needs a question: an
 * option, an abbreviated option, an operand of another kind, a subcommand.
 *
 * - `-abc`: three options without a value; `-a=kind`: one with a value; `-a?kind`: one whose value may be attached
 * - `-#`: a number as an option; `--`: operands follow
 * - `!-a`, `!-a=kind`: known, but a rule has to write it, just as it has to write a subcommand with `named`
 * - `<kind>`: operands, `<first,others>`; `1`, `2`: at most that many. Operands may be left out. `needed`: without one,
 *   the program reads its input. The kinds are those of harmless.ts, or texts: `a|b`
 * - `<program>`: another program with everything after it, following `skip` operands
 * - `<script>`: a file of code, to which everything after it belongs; a value `module` is the same for a program of the
 *   table
 * - `%`: no option starts or writes anything. `~`: no option starts anything
 * - `long`: one dash begins an option of many letters
 * - `checked`: the table of effects examines the operands
 * - `copies`: copies the content of one operand to the name of another
 */
export const harmless: Readonly<Record<string, string>> = {
  // Programs that only read or print.
  ['ls|dir|vdir|cat|tac|rev|nl|head|tail|wc|cut|paste|join|comm|tr|fold|fmt|expand|unexpand|od|cksum|sum|md5sum|sha1sum|' +
  'sha224sum|sha256sum|sha384sum|sha512sum|b2sum|base32|base64|basenc|basename|dirname|realpath|readlink|stat|du|df|' +
  'seq|factor|numfmt|printenv|whoami|id|groups|users|uname|arch|nproc|tty|pwd|true|false|:|echo|sleep|expr|cmp|column|' +
  'look|tsort|pathchk|logname|hostid|sync|pinky|getconf|locale|grep|egrep|fgrep|jq|which|whereis|type|ps|pgrep|' +
  'pidof|free|vmstat|uptime|w|who|last|lscpu|lsblk|lsmem|netstat|ping|dig|traceroute|cal|ncal|hexdump|hd|' +
  'pstree|getent|lsmod|pwdx|stty|nslookup|host|exit|shift|return|ulimit']: '% <any>',
  // Programs that change the files they name, as their own name says.
  'mkdir|rmdir|touch|rm|chmod|chown|chgrp|unlink|truncate|mkfifo|mktemp|kill|pkill|killall|wait|cd|pushd|popd|shred':
    '% <any>',
  'cp|mv|ln|link': '% copies <any>',
  tree: '-adfilpqsughDFvtcrUACSnxJX -L=num -I= -P= --noreport --dirsfirst --filelimit=num --gitignore --prune --charset= <any>',
  sort:
    '-bdfghiMnRrVcCmsuz -k= -t= --key= --field-separator= --numeric-sort --reverse --unique --human-numeric-sort ' +
    '--version-sort --ignore-case --stable --check --zero-terminated --general-numeric-sort !-o= !--output= -- <any>',
  uniq: '-cdDuiz -f=num -s=num -w=num --count --repeated --unique --ignore-case <any> 1',
  diff:
    '-qsyeniEZbwBatTrNp -u -c -U=num -C=num -x= -I= -W=num --brief --unified?num --context?num --recursive --color? ' +
    '--side-by-side --suppress-common-lines --ignore-all-space --ignore-space-change --ignore-blank-lines --exclude= ' +
    '--new-file --text --strip-trailing-cr --no-dereference --report-identical-files --ignore-case --width=num -- <any>',
  diff3: '-eExX3AaimT <any>',
  date: '-uR -d= -I? -r= --date= --utc --iso-8601? --rfc-3339= --reference= <format>',
  hostname: '-fiIsdA --fqdn --short --ip-address',
  top: '-bcHiS -n=num -d=num -p= -u= -o= -w=num',
  lsof: '-Pnltab -i? -p= -u= -c= <plain>',
  ss: '-tulpnaHresimo460xwW --tcp --udp --listening --processes --numeric --all --summary',
  whois: '<plain>',
  file: '-bikLhprsN0 -F= --brief --mime --mime-type --mime-encoding --dereference -- <any>',
  xxd: 'long -a -b -e -E -i -p -ps -u -C -c=num -g=num -l=num -s=num <any> 1',
  strings: '-af -n=num -t= -e= --all --bytes=num <any>',
  'test|[':
    'long -e -f -d -r -w -x -s -L -h -n -z -p -S -b -c -g -k -u -t -N -O -G -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o ' +
    '<plain> <=|!=|==|]|!|>',
  printf: '-- <any>',
  sed: '-nErsuz -e= --expression= --quiet --silent --regexp-extended --null-data --posix --sandbox --debug checked <any>',
  'awk|gawk|mawk|nawk|original-awk': '-F= -v= --field-separator= --assign= -- checked <any>',
  find:
    'long -H -L -P -O1 -O2 -O3 -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= ' +
    '-lname= -type= -xtype= -maxdepth=num -mindepth=num -size= -newer= -newermt= -mtime=num -atime=num -ctime=num ' +
    '-mmin=num -amin=num -cmin=num -perm= -user= -group= -uid= -gid= -links= -inum= -empty -readable -writable ' +
    '-executable -samefile= -and -or -not -a -o -prune -print -print0 -printf= -ls -quit -depth -d -mount -xdev ' +
    '-follow -noleaf -daystart -true -false -nouser -nogroup -used= -fstype= -warn -nowarn <any>',
  'fd|fdfind':
    '-HIuULpdsigFa0 -e= -t= -E= -d=num -S= -c= --hidden --no-ignore --extension= --type= --exclude= --max-depth=num ' +
    '--min-depth=num --glob --regex --fixed-strings --absolute-path --full-path --follow --color= --size= ' +
    '--changed-within= --changed-before= --max-results=num --case-sensitive --ignore-case --print0 -1 -- <any>',
  rg:
    '-nNilLcvwxoFPUuSsHIpaq0. -e= -g= -t= -T= -A=num -B=num -C=num -m=num -r= -M=num -j=num -d=num -E= --regexp= ' +
    '--glob= --iglob= --type= --type-not= --type-list --files --files-with-matches --files-without-match --count ' +
    '--count-matches --line-number --no-line-number --ignore-case --smart-case --case-sensitive --word-regexp ' +
    '--line-regexp --invert-match --only-matching --fixed-strings --pcre2 --multiline --multiline-dotall --hidden ' +
    '--no-ignore --no-ignore-vcs --follow --context=num --after-context=num --before-context=num --max-count=num ' +
    '--max-depth=num --max-columns=num --max-filesize= --heading --no-heading --with-filename --no-filename --color= ' +
    '--colors= --json --stats --sort= --sortr= --null --replace= --passthru --trim --vimgrep --pretty --text --quiet ' +
    '--threads=num --no-messages --no-config --column --byte-offset --crlf --encoding= --unrestricted -- <any>',
  ag: '-lLicvwQaSsnu -A=num -B=num -C=num -G= -g= -m=num --nocolor --color --hidden --ignore= --vimgrep --count -- <any>',
  'bat|batcat':
    '-npAPSu -l= -r= --plain --style= --language= --color= --line-range= --paging=never|auto --number --theme= <any>',
  yq: '-reCMNjnP -o= -p= --raw-output --compact-output --null-input --exit-status --output-format= --input-format= --no-colors <any>',
  shellcheck:
    '-a -x -f= -e= -i= -o= -s= -S= --format= --exclude= --include= --shell= --severity= --enable= --color? --norc <any>',

  'get-childitem|get-content|get-item|get-location|get-process|get-service|get-date|test-path|select-string|measure-object|write-output|write-host|resolve-path|get-filehash':
    '% <any>',

  // Programs that start another one.
  nohup: '<program>',
  nice: '-n=num --adjustment=num <program>',
  ionice: '-t -c=num -n=num --class=num --classdata=num --ignore <program>',
  timeout: '-v -k= -s= --kill-after= --signal= --foreground --preserve-status --verbose skip <program>',
  stdbuf: '-i= -o= -e= --input= --output= --error= <program>',
  time: '-pv --verbose <program>',
  command: '-p -v= -V= <program>',
  builtin: '<program>',
  env: '-i0 -u= --ignore-environment --null --unset= <program>',
  xargs:
    '-0rtx -n=num -L=num -P=num -d= -s=num --null --no-run-if-empty --max-args=num --max-procs=num --delimiter= <program>',
  'sudo|doas|setsid|chrt|taskset|flock|setpriv|unshare|strace|ltrace|busybox|toybox|exec': '<program>',

  // Interpreters of files, and programs that run by the project's configuration.
  'python|python2|python3|pypy|pypy3': '-uBEsSIOqb -m=module -V <script>',
  'node|nodejs|tsx|ts-node':
    '-v --no-warnings --trace-warnings --enable-source-maps --experimental-strip-types <script>',
  bun: '-v <codefile>',
  'bun test': '--coverage --bail? -t= --timeout=num <within>',
  'bun install|i|ci': '--frozen-lockfile --production -p --silent',
  'bun add|remove': '-dD -E --dev --exact <package>',
  'bun run': '--silent <target> 1',
  'perl|ruby': '-wTv <script>',
  php: '-vmi -f=script <script>',
  'lua|luajit|tclsh|guile|racket|julia|rscript|swipl': '-v <script>',
  'sh|bash|dash|zsh|ksh|fish': '<script>',
  java: 'long -version !-jar=script <script>',
  deno: '-V',
  'deno run': '--allow-read? --allow-net? --allow-env? --quiet -q <script>',
  'deno fmt|lint|check|info|doc': '--check <plain>',
  'ruff check|format':
    '!--fix --diff --check --quiet -q --statistics --select= --ignore= --output-format= --no-cache --preview <any>',
  'ruff rule|version': '<plain>',
  'mypy|pylint|flake8|bandit|black|isort':
    '--strict --verbose -v -q --quiet --check --diff --check-only --line-length=num -l=num --ignore-missing-imports ' +
    '--show-error-codes --pretty --no-color-output --stats --statistics --color -r -ll --outputjson <plain>',
  'pytest|py.test':
    '-vvvqsxlr -k= -m= --tb= --maxfail=num --lf --ff --last-failed --failed-first --collect-only --co --verbose --quiet ' +
    '--durations=num --no-header --no-summary --exitfirst --stepwise --sw --showlocals -n=num --color= --cov?within --cov-report=term|term-missing <testid>',
  unittest: '-vqf <within>',
  'json.tool': '--sort-keys --indent=num --compact <plain> 1',
  'eslint|stylelint|oxlint|markdownlint|tslint':
    '!--fix !--fix-suggestions !--cache --fix-dry-run --quiet --max-warnings=num --ext= --color --no-color --no-error-on-unmatched-pattern ' +
    '--deny-warnings --debug --report-unused-disable-directives <within>',
  'prettier|oxfmt':
    '-cluw !-w !--write --check --list-different --ignore-unknown --no-color --log-level= --loglevel= <within>',
  tsc: '-bwv --noEmit --build --watch --pretty --strict --skipLibCheck --listFiles --incremental --noemit --showConfig --all',
  'vitest|jest|mocha|ava':
    '--watch --coverage --verbose --silent -t= --testNamePattern= --run --bail? -i --runInBand -w --watchAll? --ci ' +
    '--passWithNoTests --no-coverage --maxWorkers= --testPathPattern= --findRelatedTests --detectOpenHandles ' +
    '!-u !--updateSnapshot --listTests --onlyChanged -o --typecheck --grep= -g= <within>',
  'vitest run|watch|list|related|bench': '!--update <within>',
  'playwright test': '--headed --debug --ui --grep= -g= --project= --workers=num --retries=num --list -x <within>',
  'make|gmake':
    '-skniqBr -j?num -l?num --silent --quiet --dry-run --just-print --keep-going --always-make --no-print-directory --jobs?num <target>',
  'ninja|just|task|rake|mage': '-n -j?num --silent --quiet --dry-run --list --summary <target>',
  'gradle|gradlew|mvn|mvnw|ant|bazel|grunt|gulp|tox|nox':
    '-qBU --quiet --batch-mode --offline --info --stacktrace --no-daemon <target>',
  'npx|pnpx|bunx|uvx': '-yq --yes --quiet --no --no-install <program>',

  npm: '-vs --silent --json --long --parseable --no-color --color? --loglevel= --no-audit --no-fund --progress? --no-progress',
  'npm ls|list|ll|la': '-agl --all --depth=num --omit= --include= --prod --production --dev --global -g <package>',
  'npm view|info|show|v': '<package,plain>',
  'npm outdated|explain|why|root|bin|prefix|ping|whoami|search|find|query': '-agl --all --global --depth=num <package>',
  'npm test|t|tst|start|stop|restart': '--if-present',
  'npm run|run-script': '--if-present <target> 1',
  'npm install|i|add|ci|uninstall|remove|rm|un|update|up|dedupe|prune|rebuild':
    '-DESBO !-g !--global --save --save-dev --save-exact --save-optional --save-peer --no-save --legacy-peer-deps --ignore-scripts ' +
    '--production --omit= --include= --prefer-offline --offline --force -f --dry-run --package-lock-only ' +
    '--frozen-lockfile --engine-strict <package>',
  'npm audit': '--omit= --audit-level= --production --dry-run <fix|signatures> 1',
  'npm version': '--no-git-tag-version <major|minor|patch|prerelease> 1',
  'npm config get': '<plain>',
  'npm config list|ls': '-l',
  'npm pack|publish': 'named --dry-run --access=public|restricted --tag=',
  'pnpm|yarn': '-vrs --silent --json --recursive --version --reporter=',
  'pnpm|yarn install|i|ci|add|remove|rm|uninstall|update|up|upgrade|dedupe|prune|rebuild|import':
    '-DEPOw --frozen-lockfile --immutable --prod --production --dev --save-dev --save-exact --save-peer --save-optional ' +
    '--offline --prefer-offline --ignore-scripts --lockfile-only --no-frozen-lockfile --latest -L --force !--global !-g <package>',
  'pnpm|yarn run|run-script': '--if-present <target> 1',
  'pnpm|yarn test|t|start|build|lint|dev|typecheck|format|check': '',
  'pnpm|yarn list|ls|la|ll|why|outdated|info|view|root|bin|licenses|audit':
    '--depth=num --prod --dev --long --audit-level= <package,plain>',
  'pnpm|yarn exec|dlx': '<program>',
  'turbo|nx run|test|build|lint': '--filter= --affected --dry? --force --no-cache <target>',

  'pip|pip2|pip3': '-qv --quiet --verbose --disable-pip-version-check --no-color --no-input -V',
  'pip|pip2|pip3 list|show|freeze|check|inspect|debug':
    '-o --outdated --format= --user --local --files --not-required <package>',
  'pip|pip2|pip3 install|uninstall':
    '-UyI --upgrade --user --yes --no-deps --no-cache-dir --pre --dry-run --break-system-packages -r=within --requirement=within -e=.|.[dev]|.[test]|.[all] <package>',
  uv: '-qv --quiet --verbose --offline --no-progress -V',
  'uv run': '--frozen --locked --no-sync --all-extras --dev --isolated <program>',
  'uv sync|lock|tree|version|export':
    '--frozen --locked --all-extras --dev --no-dev --upgrade --check --depth=num --extra= --group= --all-groups',
  'uv add|remove': '--dev --optional= --group= <package>',
  'uv pip list|show|freeze|tree|check': '--outdated --format= <package>',
  'uv pip install|uninstall': '-Uy -r=within -e=.|.[dev]|.[test]|.[all] --upgrade --system <package>',
  'uv tool list|dir': '',
  'uv python list|find': '<plain>',
  'poetry show|check|version|about|install|lock|update|build':
    '--tree --latest --outdated --no-root --no-dev --sync --only= --with= --without= --dry-run <package>',
  'poetry|pipenv|pdm|hatch|bundle run|exec': '<program>',
  'gem list|search|info|outdated|which': '-lr --local --remote <plain>',
  'brew list|info|search|outdated|config|doctor|deps|leaves|install|upgrade|update':
    '--versions --cask --formula --quiet -q --json? <package>',
  cpanm: '-nq --notest --quiet <perlmodule>',
  cargo: '-qvV --quiet --verbose --locked --offline --frozen --color=',
  'cargo build|b|check|c|test|t|run|r|bench|clippy|doc|fix|fmt|clean|tree|metadata|update|fetch|verify-project|search|pkgid|version|add|remove|nextest':
    '--release -r --all --workspace --lib --bins --tests --examples --benches --all-targets --all-features ' +
    '--no-default-features --features= -F= -p= --package= --bin= --test= --example= --bench= --no-run --no-fail-fast ' +
    '--jobs=num -j=num --keep-going --message-format= --check --dry-run --depth=num --no-deps --doc !--fix !--allow-dirty ' +
    '--duplicates --format-version=num -e= -i= --invert= --edges= --dev <package>',
  go: 'long',
  'go version|help|doc|env': '-m -v -all -short -src -u -c -json <plain>',
  'go build|test|vet|install|list|fmt|generate|clean|run|get':
    '-v -x -n -a -race -short -cover -count=num -run= -bench= -benchmem -timeout= -parallel=num -failfast -json -m -u ' +
    '-f= -deps -test -tags= -trimpath -p=num -cpu= -list= -skip= -shuffle= -covermode= -s -l <./...|.|all> <gopath>',
  'go mod tidy|download|verify|graph|why|vendor|init': '-v -x -json -m <plain>',
  rustc: '-V --version --print=cfg|sysroot|target-list|target-libdir --explain=',
  'rustup show|which|check': '-v --verbose --installed <plain>',
  dotnet: '--info --list-sdks --list-runtimes',
  'dotnet build|test|run|restore|clean|list':
    '--no-build --no-restore -c=Debug|Release --configuration=Debug|Release --verbosity= -v= --nologo <package>',
  'flutter|dart test|analyze|doctor|format|devices|clean': '-v <plain>',
  'swift build|test|run': '-c=debug|release --configuration=debug|release',

  // Only these options of git itself: another folder or configuration may name programs.
  git: '-P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects --no-advice --version -v -h',
  'git log|show|diff|shortlog|rev-list|whatchanged|blame|annotate|reflog|range-diff|diff-tree|diff-index|diff-files|cherry':
    '~ -- -# -puPiEFwbaRqszWmcrte -n=num --max-count=num --skip=num -M? -C? -B? -D -U=num -S= -G= -L= -l=num --oneline ' +
    '--all --branches? --tags? --remotes? --graph --no-graph --decorate? --no-decorate --stat? --shortstat --numstat ' +
    '--compact-summary --dirstat? --summary --name-only --name-status --raw --patch --no-patch --patch-with-stat --pretty?pretty ' +
    '--format=pretty --abbrev-commit --no-abbrev-commit --abbrev?num --no-merges --merges --first-parent --reverse --follow ' +
    '--since= --until= --after= --before= --author= --committer= --grep= --all-match --invert-grep --regexp-ignore-case ' +
    '--extended-regexp --fixed-strings --perl-regexp --date= --relative-date --left-right --left-only --right-only ' +
    '--cherry-pick --cherry-mark --cherry --boundary --no-color --color? --color-words? --word-diff? --word-diff-regex= ' +
    '--cached --staged --merge-base --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines ' +
    '--ignore-submodules? --submodule? --diff-filter= --unified=num --full-index --binary --check --exit-code --quiet ' +
    '--no-renames --find-renames? --find-copies? --find-copies-harder --diff-algorithm= --minimal --patience --histogram ' +
    '--function-context --text --relative? --topo-order --date-order --author-date-order --no-ext-diff --no-textconv ' +
    '--pickaxe-all --pickaxe-regex --inter-hunk-context=num --no-prefix --src-prefix= --dst-prefix= --no-index ' +
    '--full-history --simplify-by-decoration --ancestry-path? --count --objects --parents --children --walk-reflogs -g ' +
    '--no-notes --source --show-pulls --show-email --porcelain --line-porcelain --root --no-commit-id --no-walk? ' +
    '--min-parents=num --max-parents=num --no-mailmap --use-mailmap --numbered --email --group= <any>',
  'git status':
    '-- -sbvz --short --branch --porcelain? --long --show-stash --ahead-behind --no-ahead-behind -u? --untracked-files? ' +
    '--ignored? --verbose --no-renames --column? --ignore-submodules? <any>',
  'git rev-parse|ls-files|ls-tree|show-ref|merge-base|name-rev|describe|check-ignore|check-ref-format|count-objects|version':
    '% <any>',
  'git cat-file': '-tpse --batch? --batch-check? <any>',
  'git for-each-ref': '--format=pretty --sort= --count=num --contains? --points-at= --merged? --no-merged? <any>',
  'git branch':
    '-avrqdDmMcCfl --show-current --all --remotes --list --contains? --no-contains? --merged? --no-merged? --sort= ' +
    '--format=pretty --delete --move --copy --force -u= --set-upstream-to= --unset-upstream --column? --no-color --color? ' +
    '--abbrev?num --verbose --track? --no-track --points-at= --ignore-case <any>',
  'git tag': '-ldfni -n?num -m= --list --sort= --contains? --points-at= --merged? --delete --format=pretty <any>',
  'git remote': '-v --verbose',
  'git remote show|set-head|prune|update': '-n -a --dry-run --auto --prune <origin|upstream>',
  'git remote get-url|rename|remove|rm': '--all --push <refspec>',
  'git remote add|set-url': '<refspec,url>',
  'git stash': '-uaqk --include-untracked --all --keep-index --quiet -m=',
  'git stash list|show|pop|apply|drop|push|clear|branch|create':
    '-- --oneline --stat? --patch -p --index -q -m= --message= -S --staged <any>',
  'git add|stage':
    '-- -AunvfN --all --update --no-all --dry-run --verbose --force --intent-to-add --ignore-errors --renormalize <any>',
  'git commit':
    '-- -asvqnezi -m= --message= --all --signoff --amend --no-edit --quiet --verbose --allow-empty --allow-empty-message ' +
    '--no-verify --author= --date= --fixup= --squash= -C= --reuse-message= --dry-run --short --porcelain --no-gpg-sign ' +
    '--reset-author --trailer= --only -o --include --no-post-rewrite <any>',
  'git checkout': '-- -fqltm -b= -B= --detach --track? --no-track --force --quiet --ours --theirs --orphan= <any>',
  'git switch':
    '-fqdtm -c= -C= --create= --force-create= --detach --track? --no-track --discard-changes --orphan= <any>',
  'git restore': '-- -SWqm -s= --staged --worktree --source= --ours --theirs --quiet <any>',
  'git push':
    '-ufndqv --set-upstream --force --force-with-lease? --force-if-includes --tags --follow-tags --all --delete --dry-run ' +
    '--quiet --verbose --no-verify --porcelain --progress --prune --atomic <origin|upstream,refspec>',
  'git fetch|pull':
    '-aptqvnf46 --all --prune --prune-tags --tags --no-tags --depth=num --unshallow --deepen=num --rebase? --no-rebase -r ' +
    '--ff-only --ff --no-ff --quiet --verbose --dry-run --force --autostash --progress --no-edit --no-recurse-submodules ' +
    '<origin|upstream,refspec>',
  'git ls-remote': '-htq --heads --tags --refs --symref --get-url --exit-code --sort= <origin|upstream,refspec>',
  'git clone':
    'named -q --depth=num -b= --branch= --single-branch --no-tags --bare --mirror --filter= --quiet --progress <https,within> 2',
  'git init': '-q --quiet --bare -b= --initial-branch= <plain> 1',
  'git merge':
    '-qvn -m= --no-ff --ff-only --ff --squash --no-squash --no-edit --commit --no-commit --abort --continue --quit --stat --no-stat --quiet --allow-unrelated-histories --no-verify --autostash <refspec>',
  'git rebase':
    '-qvn --abort --continue --skip --quit --onto= --autostash --no-autostash --autosquash --quiet --no-verify --root --update-refs --keep-empty <refspec>',
  'git cherry-pick|revert':
    '-nx -m=num --no-edit --no-commit --abort --continue --skip --quit --allow-empty --mainline=num --signoff <any>',
  'git reset': '-- -qN --hard --soft --mixed --keep --merge --quiet --no-refresh <any>',
  'git rm|mv': '-- -rfnqkv --cached --dry-run --force --quiet --ignore-unmatch --verbose <any>',
  'git clean': '-- -fdnxXq -e= --dry-run --force --exclude= --quiet <any>',
  'git grep':
    '-- -nilLcwEFPGrIvhHqoapWz0 -e= -A=num -B=num -C=num -m=num --cached --untracked --no-index --line-number --ignore-case ' +
    '--files-with-matches --files-without-match --name-only --count --word-regexp --heading --break --show-function ' +
    '--function-context --context=num --after-context=num --before-context=num --max-depth=num --and --or --not ' +
    '--all-match --color? --no-color --text --full-name --column --only-matching --quiet --recurse-submodules --threads=num <any>',
  'git config':
    '-lz --get= --get-all= --get-regexp= --list --global --local --system --show-origin --show-scope --name-only --null --type= --default= <key> 1',
  'git worktree list|add|remove|prune|lock|unlock':
    '-fvnqd -b= -B= --porcelain --force --verbose --dry-run --detach --lock --quiet <any>',
  'git submodule status': '--recursive --cached -q',
  'git bisect start|good|bad|skip|reset|log': '<refspec>',
  'git notes list|show': '<refspec>',
  'git town sync|branch|propose|ship|hack|append|prepend|switch|status|continue|skip|undo':
    '-adsp --all --draft --dry-run --stack --push --prune <plain>',

  'gh|glab':
    '-R=plain --repo=plain --json= -q= --jq= -t= --template= --limit=num -L=num -s= --state= -l= --label= --hostname=',
  'gh|glab pr|mr|issue|release|run|workflow|label|secret|variable|gist|project|ruleset|cache|repo|ssh-key|gpg-key|status|search|auth|milestone|ci list|ls|view|diff|checks|status|show|trace':
    '-cavpm -A= -B= -H= -S= -a= -j= -u= -b= -e= -i --comments --author= --assignee= --base= --head= --search= --draft ' +
    '--milestone= --name-only --patch --color= --required --branch= --workflow= --event= --user= --status= --log ' +
    '--log-failed --job= --verbose --exit-status --attempt=num --archived --no-archived --fork --source --language= ' +
    '--topic= --visibility= --order= --sort= --env= --org= --app= --ref= --yaml --exclude-drafts --exclude-pre-releases ' +
    '--show-token.never --active --owner= --all -M --mine <plain>',
  'gh search repos|issues|prs|code|commits':
    '--owner= --language= --stars= --sort= --order= --author= --assignee= --state= --created= --updated= --match= --extension= --filename= --visibility= --topic= <any>',
  'gh|glab pr|mr|issue|release|label|repo create|edit|comment|close|reopen|merge|review|note|approve|delete|fork|ready|lock|unlock|sync|new':
    '-adfmrs -b= -t= -B= -H= -a= -m= -p= --title= --body= --base= --head= --draft --fill --fill-first --fill-verbose ' +
    '--assignee= --reviewer= -r= --milestone= --merge --squash --rebase --auto --delete-branch --approve ' +
    '--request-changes --comment --comment= --add-label= --remove-label= --add-assignee= --add-reviewer= --body-file=plain -F=plain ' +
    '--subject= --reason= --description= --color= --force --yes -y --notes= -n= --generate-notes --prerelease --latest? --target= ' +
    '--public --private --internal --ready <any>',
  'gh|glab auth status|login|logout|setup-git|refresh': '--active --git-protocol=https|ssh -p=https|ssh --scopes=',
  'gh|glab api':
    '-i -X= -f= -F=field -H= -p= --method= --raw-field= --field=field --header= --paginate --slurp --include --silent --verbose --preview= --cache= <apipath>',
  'gh repo clone': 'named <plain> 2',
  'gh pr checkout': '-bf --branch= --detach --force <plain>',
  'gh secret|variable set|delete': '-b= --body= -e= --env= -o= --org= --app= --visibility= -r= --repos= <plain>',
  'gh run rerun|cancel|watch': '--failed --exit-status --job= -i=num <plain>',
  'gh workflow run|enable|disable': '-r= -f= --ref= --field=field --raw-field= <plain>',

  'docker|podman|nerdctl': '-D --debug',
  'docker|podman|nerdctl ps|images|logs|inspect|version|info|stats|top|port|history|diff|search|events':
    '-aqsfnlt -f= -n= --all --quiet --filter= --format= --no-trunc --latest --size --follow --tail= --since= --until= ' +
    '--timestamps --details --no-stream --type= --digests --limit=num --last=num <plain>',
  'docker|podman|nerdctl system|image|container|network|volume|context|node|service|stack ls|df|info|inspect|history|logs|ps|prune|rm':
    '-aqf --all --quiet --filter= --format= --no-trunc --force --tail= --follow <plain>',
  'docker|podman|nerdctl volume|network create': '<target> 1',
  'docker|podman|nerdctl build':
    '-q -t= --tag= --no-cache --pull --build-arg= --target= --platform= -f=within --file=within <within> 1',
  'docker|podman|nerdctl start|stop|restart|pause|unpause|kill|rm|rmi|pull|tag|wait|rename':
    '-afqtv -t=num -s= --all --force --time=num --signal= --quiet --platform= --volumes --filter= <plain>',
  'docker|podman compose ps|logs|ls|images|top|version|up|down|start|stop|restart|pull|build|config':
    '-aqdfv --all --quiet --detach --follow --tail= --timestamps --no-color --build --no-deps --remove-orphans --volumes ' +
    '--services --format= --no-cache --pull --wait --force-recreate -t=num <target>',

  'kubectl|oc':
    '-nA -n= --namespace= --all-namespaces -A -o= --output= -l= --selector= --context= --cluster= --field-selector= ' +
    '--request-timeout= --no-headers --show-labels --show-kind --sort-by= --ignore-not-found --chunk-size=num -w --watch ' +
    '--label-columns= -L= --warnings-as-errors',
  'kubectl|oc get|describe|logs|explain|api-resources|api-versions|cluster-info|version|top|events|wait':
    '-fp -c= --container= --tail=num --since= --since-time= --timestamps --previous --follow --all-containers --prefix ' +
    '--client --short --recursive -R --api-version= --namespaced --verbs= --for= --timeout= --types= --show-events --limit-bytes=num ' +
    '--max-log-requests=num --containers --api-group= <plain>',
  'kubectl|oc config view|current-context|get-contexts|get-clusters|get-users|use-context': '--minify <plain>',
  'kubectl|oc auth can-i|whoami': '--list --as= <plain>',
  'kubectl|oc rollout status|history|restart|undo|pause|resume':
    '--timeout= --revision=num --to-revision=num --watch? <plain>',
  'kubectl|oc set env|image|resources':
    '--record --list --all --overwrite --containers= -c= --limits= --requests= <any>',
  'kubectl|oc apply|create|delete|scale|label|annotate|expose|autoscale|cordon|uncordon|drain|taint|patch|replace':
    '-R -f=plain --filename=plain --replicas=num --record --dry-run? --recursive --force --grace-period=num --wait? --timeout= --all ' +
    '--overwrite --type= -p= --patch= --cascade? --now --server-side --from-literal= --image= --port=num --target-port=num ' +
    '--min=num --max=num --cpu-percent=num --ignore-daemonsets --delete-emptydir-data <any>',
  helm: '-n= --namespace= --kube-context= -o=json|yaml|table --output=json|yaml|table --debug',
  'helm list|ls|status|history|version|env|lint|template|rollback|uninstall':
    '-aAq --all --all-namespaces --short --revision=num --max=num --versions --devel --filter= --strict -f=plain --values=plain --set= ' +
    '--set-string= --version= --include-crds --skip-crds --dry-run? --wait --timeout= --with-subcharts <plain>',
  'helm get|search|show|repo|dependency|dep values|manifest|all|notes|repo|hub|chart|readme|list|update|build':
    '--revision=num --versions --version= --devel <plain>',
  'helm install|upgrade':
    '-i -f=plain --values=plain --set= --set-string= --version= --create-namespace --install --atomic --wait --timeout= --dry-run? --reuse-values --reset-values --force <plain>',
  'terraform|tofu': 'long -version',
  'terraform|tofu validate|version|providers|graph|refresh': '-json -no-color -input=true|false',
  'terraform|tofu state|workspace list|show|select': '-no-color <plain>',
  'terraform|tofu fmt|show|output': '-json -no-color -check -diff -recursive -raw <plain>',
  'terraform|tofu plan|init':
    '-json -no-color -compact-warnings -detailed-exitcode -input=true|false -refresh=true|false -lock=true|false -upgrade ' +
    '-reconfigure -backend=true|false -target= -var= -destroy -refresh-only -parallelism=num',
  'terraform|tofu apply|destroy': 'named -json -no-color -input=true|false -auto-approve -target= -var=',

  aws: '--region= --profile= --output=json|text|table|yaml --query= --no-cli-pager --no-paginate --max-items=num --page-size=num --color= --debug --no-sign-request',
  'aws configure': '',
  'aws configure list|get|list-profiles': '<plain>',
  'aws s3 ls': '--recursive --human-readable --summarize <any>',
  'aws sts|ec2|iam|s3api|lambda|logs|ecs|eks|rds|cloudwatch|cloudformation|dynamodb|secretsmanager|ssm|route53|sqs|sns|ecr|apigateway|cloudfront|elbv2|kms|events|ce|acm|autoscaling|stepfunctions|elasticache':
    '<awsread> 1 --name= --names= --names --id= --ids= --secret-id= --filter= --filters= --bucket= --prefix= --function-name= ' +
    '--log-group-name= --log-group-name-prefix= --log-stream-name= --start-time= --end-time= --filter-pattern= --cluster= ' +
    '--services= --tasks= --instance-ids= --stack-name= --table-name= --key= --with-decryption --path= --query-string= ' +
    '--db-instance-identifier= --user-name= --role-name= --policy-arn= --queue-url= --topic-arn= --owner-ids= --limit=num --version-stage= ' +
    '--hosted-zone-id= --repository-name= --start= --metric-name= --namespace= --period=num --statistics= --dimensions= --group-names=',
  gcloud:
    '--project= --region= --zone= --location= --format= --filter= --limit=num --sort-by= --quiet -q --global --page-size=num --verbosity=',
  'gcloud auth|config|projects|services|functions|secrets|builds|pubsub|dns|components|organizations list|describe|login|enable|read|get-value':
    '--enabled --available --account= <plain>',
  'gcloud compute|iam|container|run|sql|secrets|pubsub|artifacts|kms|monitoring|storage instances|disks|networks|zones|regions|images|service-accounts|roles|clusters|services|jobs|revisions|databases|versions|topics|subscriptions|repositories|keys|dashboards|buckets list|describe|access':
    '--secret= --location= --cluster= --instance= <plain>',
  'gcloud logging read': '--freshness= --order= <any>',
  'gcloud info|version': '',
  az: '-o=json|jsonc|table|tsv|yaml --output=json|jsonc|table|tsv|yaml --query= -g= --resource-group= -n= --name= --subscription= --only-show-errors',
  'az account|group|vm|webapp|functionapp|aks|acr|keyvault|resource|role|sql|cosmosdb|container list|show':
    '--ids= -l= --location= --all --vault-name= --account-name=',
  'az network|storage|keyvault|sql|ad|role|monitor|acr vnet|nsg|public-ip|account|container|blob|secret|key|server|db|user|sp|assignment|definition|activity-log|repository list|show':
    '--ids= --vault-name= --account-name= --container-name= --assignee= --server= --all',
  'az version': '',

  curl:
    '-sSfLIivkg46NaG#0 -X= -H=header -A= -e= -u= -m=num -r= -b=nofile -d=nofile -F=nofile --silent --show-error --fail --location --head ' +
    '--include --verbose --insecure --get --compressed --request= --header=header --user-agent= --referer= --user= --max-time=num ' +
    '--connect-timeout=num --retry=num --retry-delay=num --retry-all-errors --data=nofile --data-raw= --data-urlencode=nofile ' +
    '--data-binary=nofile --json=nofile --http1.1 --http2 --tlsv1.2 --tlsv1.3 --ipv4 --ipv6 --no-buffer --no-progress-meter ' +
    '--progress-bar --fail-with-body --url=url --cookie=nofile --range= --globoff --location-trusted --path-as-is -o=/dev/null|- ' +
    '--output=/dev/null|- -w=writeout --write-out=writeout --resolve= --max-redirs=num --form=nofile --oauth2-bearer= <web>',
  wget: '-qSnv --quiet --spider --server-response --timeout=num --tries=num -T=num -t=num !-O=-|/dev/null <url>',
  tar: '-tvzjJa -f=local --list --file=local --verbose <tarlist,local>',
  unzip: '-l=plain -Z=plain -p=plain -t=plain -v=plain -z=plain',
  zipinfo: '% <any>',
  'systemctl status|list-units|list-unit-files|is-active|is-enabled|is-failed|show|cat|list-timers|list-sockets|list-dependencies|get-default':
    '-alq -n=num -p= -t= -o= --all --no-pager --user --system --full --type= --state= --lines=num --property= --value --failed --plain --no-legend --output= --quiet <plain>',
  journalctl:
    '-xerfkqab -u= -n=num -p= -b? -S= -U= -o= -t= -g= --unit= --user-unit= --lines=num --priority= --since= --until= --output= --no-pager ' +
    '--follow --reverse --dmesg --boot? --identifier= --grep= --quiet --all --utc --list-boots --disk-usage --no-hostname --user --system <plain>',
  'apt-cache policy|show|search|depends|rdepends|madison|showpkg|stats|pkgnames':
    '-nqf --names-only --full --no-recommends --no-suggests --installed --recurse --quiet <plain>',
  'apt list|show|search|policy|depends|rdepends': '-a --installed --upgradable --all-versions --names-only <plain>',
  dpkg: '-lLsSpV --list --listfiles --status --search --print-architecture --print-avail --get-selections --verify <plain>',
  'dpkg-query': '-WlLsSf -f= --show --list --listfiles --status --search --showformat= <plain>',
  rpm: 'long -qa -q=plain -qi=plain -ql=plain -qR=plain -qf=plain',
  ip: 'long -s -br -4 -6 -o -j -d -c',
  'ip addr|a|address|link|l|route|r|neigh|n|rule': '<show|list|dev|s|ls|get|eth0|lo|wlan0|up>',
  ffprobe:
    'long -v= -hide_banner -show_format -show_streams -show_entries= -show_chapters -show_frames -show_packets -print_format= -of= -select_streams= -show_error -pretty -count_frames -count_packets -sexagesimal -unit -prefix -i=local <local> 1',
  pandoc:
    '-sN -f=pandocformat -t=pandocformat -r=pandocformat -w=pandocformat --from=pandocformat --to=pandocformat --standalone --wrap= --columns=num --toc --list-input-formats --list-output-formats --number-sections <local>',
  'openssl version|x509|dgst|rand|verify':
    'long -a -in=local -noout -text -subject -issuer -dates -enddate -startdate -fingerprint -serial -sha256 -sha512 -md5 -hex -base64 -inform= <local>',

  'stripe docs|directory|projects|plugin|login|whoami|version|resources|products|prices|customers|listen|trigger|events|logs|config|status':
    '--format= --json --yes --limit=num --live --preflight --accept-tos --no-interactive --auto-confirm --org= --project-name= <any>',
  stripe: '-h',
  eas: '-v',
  ['eas build|login|whoami|submit|update|deploy|channel|workflow|env|init|credentials|update:list|update:view|update:insights|channel:insights|channel:list|channel:view|build:list|build:view|workflow:run|workflow:runs|workflow:view|env:list|project:info|project:init']:
    '-pe -p= --platform=ios|android|all --profile= --non-interactive --json --insights --days=num --channel= --runtime-version= --branch= --limit=num --environment= --message= <plain>',
  vercel: '--prod --yes -y --debug',
  'vercel ls|list|inspect|logs|whoami|link|domains|teams|deploy|build|dev|project|alias':
    '--prod --environment= --yes -y <plain>',
  'vercel env|secrets ls|list|add|rm': '--yes -y <any>',
  fly: '-a= --app=',
  'fly|flyctl deploy|status|logs|apps|secrets|info|releases|machine|version|regions|scale': '-a= --app= --json <any>',
  vault: 'long',
  'vault status|read|list|version': '-format=json|yaml|table -field= <plain>',
  'vault kv|token get|list|lookup': '-format=json|yaml|table -field= -mount= -version=num <plain>',
  'sentry-cli releases|info|projects|organizations|issues|deploys|login': '-o= -p= --org= --project= <plain>',
  'k6 run|inspect|version':
    '-ud --vus=num --duration= --iterations=num -u=num -d= -i=num --stage= --quiet !--out= <within> 1',
  'expo config|doctor|install|start|prebuild|run:ios|run:android|export':
    '-c --json --clear --web --ios --android --check --fix --type= <plain>',
  'supabase status|projects|functions|secrets|db|link|login|start|stop|gen|migration|--version':
    '--linked --local --project-ref= --env= --lang= <plain>',
  'doppler secrets|configs|projects|environments|me':
    '--json --plain --project= --config= -p= -c= <get|set|list|names,any>',
  nginx: '-tTvV',
  argent: '',
}
