export { standard, type StandardOptions } from './standard.js'
