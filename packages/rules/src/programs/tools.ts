import { git } from './git.js'
import type { Programs } from './program.js'

/** Programs that read, convert or write, and run others for some of their arguments. */
export const tools: Programs = {
  git,
  find: { options: { program: '-exec* -ok*', code: '-files0-from' } },
  'fd|fdfind': { options: { program: '-x --exec -X --exec-batch' } },
  'rg|ag|ack|ugrep': { options: { code: '--pre --hostname-bin --pager' } },
  'bat|batcat|delta': { options: { code: '--pager' } },
  'less|more|most|pg|zless|zmore': { options: { code: '+* -k --lesskey-src --lesskey-content --lesskey-file' } },
  'man|info|apropos|help': {
    options: { code: '-P --pager -H --html -C --config-file -X --gxditview -R -T -p ' + '--preprocessor -O' },
  },
  'sort|gsort': { options: { program: '--compress-program' } },
  ['shuf|iconv|sdiff|tsort|protoc|xmllint|xsltproc|pandoc|dot|nasm|as|ar|ranlib|strip|objcopy|patch|qpdf|convert|' +
  'magick|mogrify|ffmpeg|sox']: {
    options: { code: '--plugin* -F --filter --lua-filter --pdf-engine* -D --extract-media' },
  },
  'gcc|cc|g++|c++|clang|clang++|cpp|tcc|gfortran|rustc|gdc|javac|tsc|swiftc|nvcc|ghc|ld|ld.gold|ld.lld|lld|gold|mold': {
    options: {
      code: '-wrapper -specs* --specs* -fplugin* -B* -load* -plugin* --plugin* @* -Xclang -C --codegen ' + '-pgm*',
    },
  },
  'nm|objdump|size|readelf|addr2line|strings': { options: { code: '--plugin* @*' } },
  split: { options: { script: '--filter' } },
  ['csplit|wget|aria2c|axel|youtube-dl|yt-dlp|zip|gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|lz4|compress|uncompress|7z|' +
  '7za|rar|unrar|unar|sponge|rename|prename|mmv|install-info|updatedb']: {
    options: {
      code:
        '-TT --unzip-command --use-askpass --execute -e --config -i --exec --on-download-* --downloader* ' +
        '--external-downloader* --post-file --body-file',
    },
  },
  'tar|bsdtar|gtar|star': {
    options: {
      program:
        '-I --use-compress-program --to-command --checkpoint-action -F --info-script ' +
        '--new-volume-script --rsh-command --rmt-command',
    },
  },
  'cpio|pax': { options: { program: '--rsh-command --to-command' } },
  curl: { options: { code: '-K --config --engine --variable' } },
  rsync: { options: { program: '-e --rsh --rsync-path', code: '--daemon --config -M --remote-option' } },
  'scp|sftp': { options: { code: '-S -o -F -D -b -J' } },
  openssl: { options: { code: '-engine -provider* -config' }, bare: 'code' },
  ip: { argument: text => (/^(?:e|ex|exe|exec|-b|-ba\w*|-force)$/.test(text) ? 'program' : undefined) },
  'tcpdump|tshark|wireshark': { options: { code: '-z -r' } },
  nmap: { options: { code: '--script* --datadir' } },
  'nc|ncat|netcat': { options: { code: '-e -c --exec --sh-exec --lua-exec' } },
  ['yq|jaq|dasel|crudini|gron|prettier|eslint|ruff|black|rustfmt|gofmt|goimports|clang-format|shfmt|biome|rubocop|' +
  'stylelint|markdownlint|isort|autopep8']: {
    options: { code: '--plugin* -r --require --rulesdir --resolve-plugins-relative-to -c --config' },
  },
  file: { options: { code: '-m --magic-file' } },
  ldd: { operand: 'program', plain: '-v -u -d -r' },
  'sqlmap|hashcat|john': { always: 'code' },
  // Builtins of the shell: each evaluates text as code, or changes the meaning of later commands.
  ['let|declare|typeset|local|export|readonly|unset|read|mapfile|readarray|alias|enable|hash|bind|complete|compgen|' +
  'compopt|fc|jobs|wait|getopts|set|shopt|history']: { operand: 'code', options: { code: '*' } },
  printf: { options: { code: '-v*' } },
  'test|[': { options: { code: '-v -R' } },
}
