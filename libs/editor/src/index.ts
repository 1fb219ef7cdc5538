export { EditorHttpModule, EditorModule } from './editor.module.js';
export { editorSchema } from './infrastructure/persistence/schema.js';
