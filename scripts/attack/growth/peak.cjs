// @ts-check
// Required before the program: the last line of its standard error says what it took.
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(
    2,
    `\ntook ${Math.round((user + system) / 1000)} ms and ` +
      `${Math.round(process.resourceUsage().maxRSS / 1024)} MiB\n`,
  )
})
