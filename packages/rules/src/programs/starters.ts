import type { Programs } from './program.js'

const assignment = (text: string): 'code' | undefined => (/^[A-Za-z_]\w*=/.test(text) ? 'code' : undefined)

/** Programs whose purpose is to start another one. */
export const starters: Programs = {
  nohup: { operand: 'program', isTransparent: 'bare' },
  nice: { operand: 'program', plain: '-n= --adjustment=', isTransparent: 'bare' },
  ionice: {
    operand: 'program',
    plain: '-c= --class= -n= --classdata= -t --ignore',
    options: { file: '-p --pid' },
    isTransparent: 'bare',
  },
  timeout: {
    operand: 'program',
    skip: 1,
    plain: '-k= --kill-after= -s= --signal= --foreground --preserve-status -v --verbose',
    isTransparent: 'bare',
  },
  stdbuf: { operand: 'program', plain: '-i= -o= -e= --input= --output= --error=', isTransparent: 'plain' },
  time: { operand: 'program', plain: '-p -v --verbose -f= --format=', isTransparent: 'bare' },
  command: { operand: 'program', plain: '-p', options: { file: '-v -V' }, isTransparent: 'bare' },
  builtin: { operand: 'program', isTransparent: 'bare' },
  xargs: {
    operand: 'program',
    isTransparent: 'bare',
    addsWords: true,
    plain:
      '-0 --null -r --no-run-if-empty -t --verbose -x --exit -n= --max-args= -L= -P= --max-procs= -d= ' +
      '--delimiter= -s= --max-chars=',
    options: { code: '-a --arg-file -I -i --replace -J -p --interactive -o --open-tty --process-slot-var' },
  },
  env: {
    operand: 'program',
    plain: '-i --ignore-environment -0 --null -u= --unset=',
    options: { script: '-S --split-string' },
    argument: assignment,
    isTransparent: 'bare',
  },
  exec: { operand: 'program', plain: '-a= -c -l' },
  eval: { operand: 'script' },
  trap: { operand: 'script', plain: '-p -l' },
  'source|.': { operand: 'source' },
  coproc: { operand: 'program' },
  'sudo|doas|pkexec|run0|gosu|su-exec|sudoedit': {
    operand: 'program',
    plain: '-n -E -H -S -k -u= -g= --user= --group= --non-interactive',
    options: { code: '-s --shell -i --login -e --edit -C' },
    argument: assignment,
  },
  'su|runuser|login|newgrp|sg': { always: 'code' },
  setsid: { operand: 'program', plain: '-c --ctty -f --fork -w --wait' },
  flock: { operand: 'program', skip: 1, plain: '-s -x -e -n -u -o -F -w= -E=', options: { script: '-c --command' } },
  chroot: { operand: 'program', skip: 1, plain: '--userspec= --groups= --skip-chdir' },
  chrt: { operand: 'program', skip: 1, plain: '-b -f -i -o -r -a -v', options: { file: '-p --pid' } },
  taskset: { operand: 'program', skip: 1, plain: '-c --cpu-list -a', options: { file: '-p --pid' } },
  choom: { operand: 'program', plain: '-n=' },
  ['unshare|nsenter|setpriv|prlimit|numactl|cgexec|bwrap|firejail|proot|fakeroot|fakechroot|eatmydata|catchsegv|pkgx|' +
  'setarch|linux32|linux64|i386']: { operand: 'program', bare: 'code' },
  ['systemd-run|systemd-inhibit|dbus-run-session|xvfb-run|ssh-agent|rlwrap|unbuffer|torsocks|torify|proxychains|' +
  'proxychains4|sshpass|aoss|caffeinate']: { operand: 'program', bare: 'code' },
  'valgrind|ltrace|strace|perf|gprofng|heaptrack|operf': { operand: 'program', bare: 'code' },
  'busybox|toybox': { operand: 'program', plain: '--list --list-full' },
  watch: { operand: 'script', plain: '-n= -d -t -b -e -g -c -x --interval= --differences --no-title' },
  ['hyperfine|entr|parallel|rush|at|batch|crontab|script|scriptreplay|expect|autoexpect|tmux|screen|zellij|capsh|' +
  'nodemon|watchexec|chokidar|concurrently']: { always: 'code' },
  'ssh|mosh|rsh|slogin|dropbear|dbclient|pssh|autossh': {
    operand: 'script',
    skip: 1,
    bare: 'code',
    plain: '-q -T -n -4 -6 -v -x -C -p= -l=',
    options: { code: '-o -F -J -W -E -f -i' },
  },
  ['direnv|dotenv|doppler|op|aws-vault|mise|asdf|rtx|rbenv|pyenv|nodenv|nvm|volta|fnm|lxc|multipass|vagrant|adb|' +
  'distrobox|toolbox|flatpak|snap']: {
    subcommands: { '*': { always: 'program', options: { code: '-c --command --shell' } } },
  },
  ['invoke-expression|iex|invoke-command|icm|start-process|saps|foreach-object|where-object|start-job|add-type|' +
  'import-module|new-object|set-alias']: { always: 'code' },
}
