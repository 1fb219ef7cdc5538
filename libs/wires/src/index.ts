export { WireFieldsModule, WireFormatsModule, WiresModule } from './wires.module.js';
