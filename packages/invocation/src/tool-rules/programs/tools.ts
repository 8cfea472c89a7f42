import { git } from './git.js'
import type { Programs } from './program.js'

/** Programs that look or convert, and run, write or delete only for some of their arguments. */
export const tools: Programs = {
  git,
  find: { options: { program: '-exec* -ok*', write: '-delete -fprint* -fls', code: '-files0-from' } },
  'fd|fdfind': { options: { program: '-x --exec -X --exec-batch' } },
  'rg|ag|ack|ugrep': { options: { code: '--pre --hostname-bin --pager' } },
  'bat|batcat|delta': { options: { code: '--pager' } },
  'less|more|most|pg|zless|zmore': {
    options: { code: '+* -k --lesskey-src --lesskey-content --lesskey-file', write: '-o -O --log-file --LOG-FILE' },
  },
  'man|info|apropos|help': {
    options: { code: '-P --pager -H --html -C --config-file -X --gxditview -R -T -p ' + '--preprocessor -O' },
  },
  'sort|gsort': { options: { program: '--compress-program', write: '-o --output' } },
  ['shuf|iconv|sdiff|tsort|protoc|xmllint|xsltproc|pandoc|dot|nasm|as|ar|ranlib|strip|objcopy|patch|qpdf|convert|' +
  'magick|mogrify|ffmpeg|sox']: {
    options: {
      write: '-o --output -O --output-document -r --reject-file -i --in-place',
      code: '--plugin* -F --filter --lua-filter --pdf-engine* -D --extract-media',
    },
  },
  'gcc|cc|g++|c++|clang|clang++|cpp|tcc|gfortran|rustc|gdc|javac|tsc|swiftc|nvcc|ghc|ld|ld.gold|ld.lld|lld|gold|mold': {
    always: 'write',
    options: {
      code: '-wrapper -specs* --specs* -fplugin* -B* -load* -plugin* --plugin* @* -Xclang -C --codegen ' + '-pgm*',
    },
    asks: '-v',
  },
  'nm|objdump|size|readelf|addr2line|strings': { options: { code: '--plugin* @*' } },
  split: { always: 'write', options: { script: '--filter' } },
  ['csplit|wget|aria2c|axel|youtube-dl|yt-dlp|zip|gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|lz4|compress|uncompress|7z|' +
  '7za|rar|unrar|unar|sponge|rename|prename|mmv|install-info|updatedb']: {
    always: 'write',
    options: {
      code:
        '-TT --unzip-command --use-askpass --execute -e --config -i --exec --on-download-* --downloader* ' +
        '--external-downloader* --post-file --body-file',
    },
  },
  unzip: { all: texts => (/^-[lZptvz]+$/.test(texts[0] ?? '') ? undefined : 'write') },
  'tar|bsdtar|gtar|star': {
    all: texts =>
      /^-?[tvzjJaf]*t[tvzjJaf]*$/.test(texts[0] ?? '') && !texts.some(text => text.includes(':')) ? undefined : 'write',
    options: {
      program:
        '-I --use-compress-program --to-command --checkpoint-action -F --info-script ' +
        '--new-volume-script --rsh-command --rmt-command',
    },
  },
  'cpio|pax': { always: 'write', options: { program: '--rsh-command --to-command' } },
  curl: {
    options: {
      write:
        '-o --output -O --remote-name --remote-name-all -J --remote-header-name -c --cookie-jar -D --dump-header ' +
        '--trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc -w --write-out -Q --quote',
      code: '-K --config --engine --variable',
    },
  },
  tee: { operand: 'write', plain: '-a -i -p --append --ignore-interrupts' },
  dd: { argument: text => (/^(?:of=|--)/.test(text) ? 'write' : undefined) },
  uniq: { operand: 'write', skip: 1, plain: '-c -d -u -i -z -D --count --repeated --unique --ignore-case -f= -s= -w=' },
  xxd: {
    operand: 'write',
    skip: 1,
    plain: '-a -b -e -E -i -p -ps -u -C -c= -g= -l= -s= -o=',
    options: { write: '-r' },
  },
  rsync: {
    always: 'write',
    options: { program: '-e --rsh --rsync-path', code: '--daemon --config -M --remote-option' },
  },
  'scp|sftp': { options: { code: '-S -o -F -D -b -J' }, always: 'write' },
  openssl: {
    options: {
      code: '-engine -provider* -config',
      write: '-out* -keyout -writerand* -CAcreateserial -sess_out -keylogfile',
    },
    bare: 'code',
  },
  ip: { argument: text => (/^(?:e|ex|exe|exec|-b|-ba\w*|-force)$/.test(text) ? 'program' : undefined) },
  'tcpdump|tshark|wireshark': { options: { code: '-z -r', write: '-w -W' } },
  nmap: { options: { code: '--script* --datadir', write: '-o*' } },
  'nc|ncat|netcat': { options: { code: '-e -c --exec --sh-exec --lua-exec', write: '-o --output' } },
  ['yq|jaq|dasel|crudini|gron|prettier|eslint|ruff|black|rustfmt|gofmt|goimports|clang-format|shfmt|biome|rubocop|' +
  'stylelint|markdownlint|isort|autopep8']: {
    options: {
      write: '-i --inplace --in-place -w --write --fix --overwrite -s --split-exp -o --output-file ' + '--fix-type',
      code: '--plugin* -r --require --rulesdir --resolve-plugins-relative-to -c --config',
    },
  },
  file: { options: { write: '-C --compile', code: '-m --magic-file' } },
  ldd: { operand: 'program', plain: '-v -u -d -r' },
  'sqlmap|hashcat|john': { always: 'code' },
  'systemctl|service|launchctl|loginctl|machinectl': {
    subcommands: {
      '*': { always: 'file' },
      'status|list-units|list-unit-files|is-active|is-enabled|show|cat|list': {},
    },
  },
  // What a shell does itself: each of these evaluates text as code, or changes what later commands mean.
  ['let|declare|typeset|local|export|readonly|unset|read|mapfile|readarray|alias|enable|hash|bind|complete|compgen|' +
  'compopt|fc|jobs|wait|getopts|set|shopt|history']: { operand: 'code', options: { code: '*' } },
  printf: { options: { code: '-v*' } },
  'test|[': { options: { code: '-v -R' } },
}
