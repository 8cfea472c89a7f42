export { annotations } from './report/annotations.js'
export { sarif } from './report/sarif.js'
