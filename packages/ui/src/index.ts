export type { PageAnswer, PageQuestion, Saved, UiAnswers } from './api.js'
export { makeReport } from './report.js'
export { serveUi } from './serve-ui.js'
