/**
 * What `@jest/globals` is under the native runtime. Jest makes these functions anew for each file of tests; a module of
 * test/support keeps what it imported for the file before.
 */
const current = (name) =>
  new Proxy(function () {}, {
    apply: (_, self, parameters) => globalThis[name].apply(self, parameters),
    get: (_, key) => globalThis[name][key],
  });

export const describe = current('describe');
export const it = current('it');
export const test = current('test');
export const expect = current('expect');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const jest = current('jest');
