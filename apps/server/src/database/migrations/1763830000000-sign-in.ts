import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables of the sign-in library, in a schema of their own, and who belongs to which team.
 *
 * The text is what `compileMigrations()` of better-auth 1.7.25 gave, with unique keys and without an index on secrets.
 * It stands here instead of a call, because a released migration must not change with a version of the library. A test
 * runs `compileMigrations()` against a migrated database and finds nothing that is missing.
 */
export class SignIn1763830000000 implements MigrationInterface {
  name = 'SignIn1763830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA IF NOT EXISTS auth');
    await runner.query(`CREATE TABLE auth."user" (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      name text NOT NULL,
      email text NOT NULL UNIQUE,
      "emailVerified" boolean NOT NULL,
      image text,
      "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
      "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
      "twoFactorEnabled" boolean)`);
    await runner.query('CREATE INDEX user_unverified ON auth."user" ("createdAt") WHERE NOT "emailVerified"');
    await runner.query(`CREATE TABLE auth.session (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      "expiresAt" timestamptz NOT NULL,
      token text NOT NULL UNIQUE,
      "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
      "updatedAt" timestamptz NOT NULL,
      "ipAddress" text,
      "userAgent" text,
      "userId" uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      "authenticatedAt" timestamptz DEFAULT CURRENT_TIMESTAMP)`);
    await runner.query('CREATE INDEX session_of_user ON auth.session ("userId")');
    await runner.query('CREATE INDEX session_expires ON auth.session ("expiresAt")');
    await runner.query(`CREATE TABLE auth.account (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      "accountId" text NOT NULL,
      "providerId" text NOT NULL,
      "userId" uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" timestamptz,
      "refreshTokenExpiresAt" timestamptz,
      scope text,
      password text,
      "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
      "updatedAt" timestamptz NOT NULL,
      UNIQUE ("providerId", "accountId"))`);
    await runner.query('CREATE INDEX account_of_user ON auth.account ("userId")');
    await runner.query(`CREATE TABLE auth.verification (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      identifier text NOT NULL,
      value text NOT NULL,
      "expiresAt" timestamptz NOT NULL,
      "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
      "updatedAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP)`);
    await runner.query('CREATE INDEX verification_identifier ON auth.verification (identifier)');
    await runner.query('CREATE INDEX verification_expires ON auth.verification ("expiresAt")');
    await runner.query(`CREATE TABLE auth."twoFactor" (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      secret text NOT NULL,
      "backupCodes" text NOT NULL,
      "userId" uuid NOT NULL UNIQUE REFERENCES auth."user" (id) ON DELETE CASCADE,
      verified boolean,
      "failedVerificationCount" integer,
      "lockedUntil" timestamptz,
      "lastUsedStep" integer)`);
    await runner.query(`CREATE TABLE auth.passkey (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      name text,
      "publicKey" text NOT NULL,
      "userId" uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      "credentialID" text NOT NULL UNIQUE,
      counter integer NOT NULL,
      "deviceType" text NOT NULL,
      "backedUp" boolean NOT NULL,
      transports text,
      "createdAt" timestamptz,
      aaguid text)`);
    await runner.query('CREATE INDEX passkey_of_user ON auth.passkey ("userId")');
    await runner.query(`CREATE TABLE team_members (
      team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
      created_at timestamptz NOT NULL,
      PRIMARY KEY (team_id, user_id))`);
    await runner.query('CREATE INDEX team_members_user ON team_members (user_id)');
    await runner.query(`CREATE TABLE operators (
      user_id uuid PRIMARY KEY REFERENCES auth."user" (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
