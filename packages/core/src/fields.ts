export {
  defineField,
  ownFields,
  ownParts,
  ownValues,
  type Field,
  type FieldType,
  type OwnField,
} from './fields/field.js'
export { shapeOf } from './fields/shape.js'
export { askingValues, fieldDefaults, fieldOf, fieldTable, keysOf, type CommandFields } from './fields/field-table.js'
