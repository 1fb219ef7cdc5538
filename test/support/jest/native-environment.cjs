const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * Tests run among the globals of Jest's worker itself, where Node loads their modules. What a file, its setup or Jest
 * puts in the place of one is put back when the file is done; what modules add stays, as the modules do.
 */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }, { docblockPragmas }) {
    this.pragmas = docblockPragmas;
    this.global = globalThis;
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.before = Object.getOwnPropertyDescriptors(globalThis);
    this.exit = process.exit;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.exit;
    for (const [name, descriptor] of Object.entries(this.before)) {
      if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
    }
  }

  getVmContext() {
    return null;
  }
};
