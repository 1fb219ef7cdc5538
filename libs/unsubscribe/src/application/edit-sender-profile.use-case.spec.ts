import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { parseLogo, SenderProfile, SenderProfileChanges } from '../domain/sender-profile.js';
import { EditSenderProfile } from './edit-sender-profile.use-case.js';
import { SenderProfiles } from './ports/unsubscribing.port.js';

const teamId = newId();

class OneProfile extends SenderProfiles {
  profile: SenderProfile = { name: 'Team', isOwnName: false, logo: null, accentColor: null };

  async find(id: string): Promise<SenderProfile | undefined> {
    return id === teamId ? this.profile : undefined;
  }

  async change(_: string, { name }: SenderProfileChanges): Promise<void> {
    this.profile = { ...this.profile, name: name ?? 'Team', isOwnName: name != null };
  }
}

it('a team sets its name, and a viewer cannot', async () => {
  const manage = new EditSenderProfile(new OneProfile(), new FakeClock());
  const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
  expect(await manage.change(owner, { name: 'Acme' })).toMatchObject({ name: 'Acme', isOwnName: true });
  expect(await manage.find(teamId)).toMatchObject({ name: 'Acme' });
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(manage.change(viewer, { name: 'x' })).rejects.toThrow('audience:write');
  await expect(manage.find(newId())).rejects.toThrow('Team not found');
});

it('a logo is known by its bytes, and a document is none', () => {
  const png = Buffer.from('89504e470d0a1a0a00', 'hex');
  expect(parseLogo(png).contentType).toBe('image/png');
  expect(parseLogo(Buffer.from('RIFFxxxxWEBPVP8 ')).contentType).toBe('image/webp');
  for (const bytes of [
    Buffer.from('<svg onload=alert(1)>'),
    Buffer.alloc(0),
    Buffer.concat([png, Buffer.alloc(65_536)]),
  ])
    expect(() => parseLogo(bytes)).toThrow('`logo` field');
});
