import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';

it('styles are replaced as a whole, and complete what is not set', async () => {
  const rig = new InMemoryEditor();
  const { teamId } = rig.principal;
  await rig.ofTeams.save(rig.principal, { button: '#FF0', font: 'georgia', unknown: 1, dark: { text: '#fff' } });
  const { given, complete } = await rig.ofTeams.find(teamId);
  expect(given).toEqual({ button: '#ffff00', font: 'georgia', dark: { text: '#ffffff' } });
  expect(complete).toMatchObject({ headingFont: 'georgia', width: 600, dark: { text: '#ffffff', content: '#1b1c21' } });
  expect(complete.buttonText).not.toBe('#ffffff');
  await rig.ofTeams.save(rig.principal, {});
  expect((await rig.ofTeams.find(teamId)).given).toEqual({});
  await expect(rig.ofTeams.save(rig.principal, { width: 'wide' })).rejects.toThrow('the `width` must be a number');
  await expect(rig.ofTeams.save(rig.principal, { website: 'https://a.test/\ud800' })).rejects.toThrow('the `website`');
  await expect(rig.ofTeams.save(rig.principal, { logo: '{{\0}}' })).rejects.toThrow('the `logo` must be the address');
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(rig.ofTeams.save(viewer, {})).rejects.toThrow('templates:write');
});
