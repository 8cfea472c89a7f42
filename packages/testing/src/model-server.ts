export type { ModelAnswer } from './model-server/answer.js'
export { anthropicEvents, event } from './model-server/anthropic-events.js'
export {
  modelServer,
  toolsShown,
  type Fault,
  type ModelRequest,
  type ModelServer,
  type Protocol,
} from './model-server/model-server.js'
export { data, openaiEvents } from './model-server/openai-events.js'
