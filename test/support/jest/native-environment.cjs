const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Tests run among the globals of the worker of Jest itself, where Node loads their modules. */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.exit = process.exit;
    this.console = globalThis.console;
  }

  async setup() {}

  /** What Jest puts in their place for each file. */
  async teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.exit;
    globalThis.console = this.console;
  }

  getVmContext() {
    return null;
  }
};
