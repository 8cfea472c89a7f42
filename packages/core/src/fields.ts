export {
  defineField,
  ownFields,
  ownParts,
  ownValues,
  type Field,
  type FieldType,
  type FieldValue,
  type OwnField,
} from './fields/field.js'
export { shapeOf } from './fields/shape.js'
export {
  askingValues,
  fieldDefaults,
  fieldOf,
  fieldTable,
  keysOf,
  type AskingValue,
  type CommandFields,
  type FieldName,
  type KnownField,
  type LimitedField,
  type ListedField,
  type SetFields,
} from './fields/field-table.js'
