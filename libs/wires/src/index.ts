export { WireFieldsModule, WiresModule } from './wires.module.js';
