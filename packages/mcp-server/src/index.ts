export { serveHttp } from './serve-http.js'
export { serveStdio } from './serve-stdio.js'
export { SkillsServer } from './skills-server.js'
