// @ts-check
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { judge } from './judge.mjs'
import { Random } from './random.mjs'
import { canTrace } from './programs/trace.mjs'
import { apart, unprivileged } from './unprivileged.mjs'

const recording = path.join(import.meta.dirname, 'programs/wrappers.json')
/** Debian packages whose programs are tried as wrappers of another program. */
const packages =
  'util-linux coreutils busybox moreutils daemontools runit procps bsdutils e2fsprogs dpkg libc-bin eatmydata fakeroot ' +
  'proot cpulimit pv numactl time parallel gdb strace ltrace expect at screen tmux dbus-bin openssh-client findutils perl ' +
  'perl-base rsync systemd bash dash mawk gawk sed tar debianutils bsdextrautils login passwd sudo ncurses-bin psmisc lua5.4 ' +
  'php8.2-cli ruby python3-minimal libc6 logsave ed m4 bc dc make patch diffutils less man-db socat gpgv gnupg openssl'
/**
 * Places in a call for the wrapped program: `T` is the program with its operand, `P` the program alone, `F` its
 * operand.
 */
const forms = [
  'T',
  '-- T',
  'f T',
  '1 T',
  '1 1 T',
  '-c "T"',
  '-e "T"',
  '-x "T"',
  '--exec P F',
  '--exec=P F',
  '-s P F',
  '-n 1 T',
  '-u T',
  '. T',
  '"T"',
  '-a T',
  "-c 'exec T'",
  '--command="T"',
  'A=1 T',
  '-r T',
  'f -- T',
  '-p T',
  '--args T',
  'f -c "T"',
  '-i P F',
  '/ T',
  'sh T',
  '-e \'system("T")\'',
  '\'BEGIN{system("T")}\'',
  '-c \'import os; os.system("T")\'',
  '-e \'exec "T"\'',
  '-e \'os.execute("T")\'',
]
const feeds = ['echo "T" | B', 'B <<< "T"', 'echo "!T" | B', 'echo F | B P', 'printf \'system("T")\\n\' | B']
/** Other ways of writing the denied program. */
const spellings = ['touch', '/usr/bin/touch', "to'u'ch", '"touch"', '/usr/bin/../bin/touch']

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'wrappers',
  title: 'programs of the system in front of a denied one: no rule for all of Bash lets one of them start it',
  counts: { short: 150, long: 20_000 },
  async run({ count, seed, folder, progress }) {
    const isRecording = process.env['ATTACK_RECORD'] === '1'
    /** @type {{ programs: string[], started: string[] }} */
    const recorded = existsSync(recording) ? JSON.parse(readFileSync(recording, 'utf8')) : { programs: [], started: [] }
    if (isRecording) recorded.programs = programsHere().toSorted()
    const random = new Random(seed)
    const allows = await judge({ deny: ['Bash(touch:*)'], allow: ['Bash'] })
    const failures = /** @type {string[]} */ ([])
    // Each of these calls started the denied program when it was recorded.
    for (const call of recorded.started) if (await allows(call)) failures.push(`Allowed: ${call}`)
    const calls = recorded.programs.flatMap(name => [
      ...forms.map(form => `${name} ${form}`),
      ...feeds.map(feed => feed.replaceAll('B', name)),
    ])
    const run = canTrace() ? runner(folder) : undefined
    let [allowed, live, startedCount] = [0, 0, 0]
    for (let at = 0; at < Math.min(count, calls.length); at += 1) {
      const form = count >= calls.length ? (calls[at] ?? '') : random.pick(calls)
      const call = form.replaceAll('T', `P F`).replaceAll('P', random.pick(spellings)).replaceAll('F', 'new')
      const isAllowed = await allows(call)
      if (isAllowed) allowed += 1
      progress(at + 1)
      if (run === undefined) continue
      live += 1
      if (!run(call)) continue
      startedCount += 1
      if (isAllowed) failures.push(`Allowed: ${call}`)
      if (!isRecording) continue
      recorded.started = [...new Set([...recorded.started, call])].toSorted()
      writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
    }
    if (isRecording) writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
    return {
      tried: recorded.started.length + Math.min(count, calls.length),
      failures,
      figures: {
        programs: recorded.programs.length,
        'recorded to start the denied program': recorded.started.length,
        'run here': run === undefined ? 'none: unshare and setpriv need root' : live,
        'of these started the denied program': startedCount,
        'allowed, none of which did': allowed,
      },
    }
  },
}

/** Lists the programs of installed packages, and the dynamic loader. */
function programsHere() {
  const { stdout } = spawnSync('dpkg', ['-L', ...packages.split(' ')], { encoding: 'utf8' })
  const names = stdout.split('\n').flatMap(line => /^(?:\/usr)?\/s?bin\/([\w.+-]+)$/.exec(line)?.[1] ?? [])
  const applets = spawnSync('busybox', ['--list'], { encoding: 'utf8' }).stdout?.split('\n').filter(Boolean) ?? []
  const loader = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'].filter(one => existsSync(one))
  const halting = /^(?:halt|poweroff|reboot|shutdown|init|telinit|kexec|sulogin|agetty|getty|login|su|vlock|nologin)$/
  return [...names, ...applets.map(one => `busybox ${one}`), ...loader, ...loader.map(one => realpathSync(one))].filter(
    name => !halting.test(name.split(' ').at(-1) ?? '') && speaksOfOthers(name),
  )
}

/**
 * Returns true if the help of a program says that it may run another.
 * @param {string} name
 */
function speaksOfOthers(name) {
  const [program = '', ...args] = name.split(' ')
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', LANG: 'C' }
  const { stdout, stderr } = spawnSync(program, [...args, '--help'], {
    encoding: 'utf8',
    input: '',
    timeout: 3000,
    cwd: '/',
    env,
  })
  return /\b(?:command|program|cmd|prog|execut|script|shell)/i.test(`${stdout ?? ''}${stderr ?? ''}`)
}

/** @param {string} folder */
function runner(folder) {
  chmodSync(folder, 0o755)
  const work = `${folder}/work`
  return (/** @type {string} */ call) => {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work)
    chownSync(work, unprivileged, unprivileged)
    spawnSync('unshare', [...apart(2), 'bash', '--norc', '--noprofile', '-c', `ulimit -f 2000; ${call}`], {
      cwd: work,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: work, TMPDIR: work, LANG: 'C', TERM: 'dumb' },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 5000,
      killSignal: 'SIGKILL',
    })
    return existsSync(`${work}/new`)
  }
}
