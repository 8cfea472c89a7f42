export { annotations } from './report/annotations.js'
export { sarif, type SarifLog, type SarifOptions } from './report/sarif.js'
