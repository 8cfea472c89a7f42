export {
  defineField,
  ownFields,
  ownParts,
  ownValues,
  type Field,
  type FieldType,
  type OwnField,
  shapeOf,
} from './fields/field.js'
export { askingValues, fieldDefaults, fieldOf, fieldTable, keysOf, type CommandFields } from './fields/field-table.js'
