import type { ApiDescription } from '#platform/api-description';

export const apiDescription: ApiDescription = {
  tag: 'Machine room',
  schemas: {
    MachineRoomResponse: {
      description: 'The state of the installation.',
      properties: {
        object: 'Always `machine_room`.',
        at: 'When it was read.',
        version: 'Version of Postrider.',
        node_version: 'Version of Node.',
        started_at: 'When the process that answers started.',
        database: 'PostgreSQL.',
        flow: 'What has become of the mail of all teams.',
        disk: 'The disk of `DATA_DIR`; null where it cannot be read.',
        certificate: 'The TLS certificate for SMTP; null in a process that does not listen for SMTP.',
      },
    },
    DatabaseStateResponse: {
      description: 'The state of PostgreSQL.',
      properties: {
        version: 'Its version.',
        size_bytes: 'Size of the database.',
        connections: 'Connections that are open, those of other programs included.',
        max_connections: 'Connections that it allows.',
        oldest_transaction_seconds:
          'How long the oldest open transaction has lasted. Long ones hold back cleaning and consumers.',
        cache_hit_ratio: 'Share of the blocks that were found in memory, from 0 to 1.',
      },
    },
    FlowStateResponse: {
      description: 'Counts of events since a moment, which moves on each quarter of an hour.',
      properties: {
        since: 'The moment.',
        sent: 'Recipients accepted.',
        delivered: 'Recipients delivered.',
        delayed: 'Deferrals that were announced.',
        bounced: 'Recipients that bounced.',
      },
    },
    DiskStateResponse: {
      description: 'The state of the disk.',
      properties: {
        free_bytes: 'Free space.',
        total_bytes: 'Size of the disk.',
        accepting: 'False where so little is free that no mail is accepted.',
      },
    },
    CertificateStateResponse: {
      description: 'A TLS certificate.',
      properties: {
        subject: 'Whom it is for.',
        issuer: 'Who issued it.',
        valid_to: 'When it expires.',
        self_signed: 'Whether it was not issued by an authority.',
      },
    },
    InstallationDiagnosisResponse: {
      description: "The doctor's findings.",
      properties: {
        object: 'Always `diagnosis`.',
        at: 'When the checks ran.',
        level: 'The worst level of all findings.',
        checks: 'The checks, in their order.',
      },
    },
    CheckResponse: {
      description: 'What a check found.',
      properties: { check: 'Name of the check.', findings: 'One for each address or domain that was checked.' },
    },
    FindingResponse: {
      description: 'A finding.',
      properties: {
        level: 'Green: in order. Yellow: needs attention. Red: mail is not delivered, or soon will not be.',
        subject: 'The address or domain that was checked, where there are several.',
        text: 'What was found.',
        fix: 'What to do.',
      },
    },
  },
  operations: {
    'GET /machine-room': {
      operationId: 'getMachineRoom',
      summary: 'Get the state of the installation',
      description:
        'PostgreSQL, the disk, the certificate, the flow of mail and the version. A reading is shared for a second.',
      responses: {
        200: {
          description: 'The state.',
          example: {
            object: 'machine_room',
            at: '2026-11-30 20:42:12.1+00',
            version: '0.1.0',
            node_version: 'v24.11.0',
            started_at: '2026-11-30 08:00:00+00',
            database: {
              version: '18.1',
              size_bytes: 8_123_456_789,
              connections: 24,
              max_connections: 100,
              oldest_transaction_seconds: 0.4,
              cache_hit_ratio: 0.998,
            },
            flow: { since: '2026-11-30 20:15:00+00', sent: 90_112, delivered: 88_020, delayed: 311, bounced: 210 },
            disk: { free_bytes: 512_000_000_000, total_bytes: 1_000_000_000_000, accepting: true },
            certificate: {
              subject: 'mail.acme.example',
              issuer: 'R11',
              valid_to: '2027-02-01 00:00:00+00',
              self_signed: false,
            },
          },
        },
      },
      errors: [],
    },
    'GET /machine-room/diagnosis': {
      operationId: 'getDiagnosis',
      summary: "Get the doctor's findings",
      description: 'What `npm run doctor` prints. The findings are kept for a minute.',
      parameters: {
        fresh: { description: '`true`: run the checks again, at most every five seconds.', example: true },
      },
      responses: {
        200: {
          description: 'The findings.',
          example: {
            object: 'diagnosis',
            at: '2026-11-30 20:42:12.1+00',
            level: 'yellow',
            checks: [
              {
                check: 'reverse name',
                findings: [
                  {
                    level: 'yellow',
                    subject: '192.0.2.1',
                    text: 'has the name host.example, and not mail.acme.example',
                    fix: 'Ask the owner of the address for this name.',
                  },
                ],
              },
            ],
          },
        },
      },
      errors: [],
    },
  },
};
