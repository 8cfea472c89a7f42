// Required before a program: when it ends, the last line of its stderr says what it took.
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write(
    `${JSON.stringify({ cpuMs: (user + system) / 1000, peakMiB: process.resourceUsage().maxRSS / 1024 })}\n`,
  )
})
