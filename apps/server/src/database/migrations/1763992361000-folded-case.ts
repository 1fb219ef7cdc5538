import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `foldedCase` of the kernel in SQL, whatever the locale of the database. Only texts beyond ASCII pay for ICU. The letters of
 * `translate` are those that ICU 60, the oldest that is supported, does not know yet; without them in the text it is slow for
 * nothing. The function is written as RETURN, so that PostgreSQL puts its expression in place of a call.
 */
const foldedCase = String.raw`
  CREATE OR REPLACE FUNCTION folded_case(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    CASE
      WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C") COLLATE "C"
      WHEN $1 COLLATE "C" ~ '[\u1c89\u1c90-\u1cba\u1cbd-\u1cbf\u2c2f\ua7b8-\ua7dc\ua7f5\U00010570-\U00010595\U00010d50-\U00010d65\U00016e40-\U00016e5f\U00016ea0-\U00016eb8]' THEN
        translate(
          lower($1 COLLATE "und-x-icu"),
          'ςᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿⰯꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸',
          'σᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿⱟꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓') COLLATE "C"
      ELSE replace(lower($1 COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C"
    END`;

/** Names are found and compared without regard to case in every script: the indexes for it are built anew. */
export class FoldedCase1763992361000 implements MigrationInterface {
  name = 'FoldedCase1763992361000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(foldedCase);
    // Labels of an inbox that were different until now.
    await runner.query(
      `UPDATE inbox_labels l SET name = left(l.name, 40) || ' ' || right(l.id::text, 8)
       FROM (SELECT id, row_number() OVER (PARTITION BY inbox_id, folded_case(name) ORDER BY id) AS no FROM inbox_labels) n
       WHERE n.id = l.id AND n.no > 1`,
    );
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    for (const [name, definition] of [
      [
        'contacts_by_first_name',
        `ON contacts (team_id, folded_case(first_name) text_pattern_ops, folded_case(last_name) text_pattern_ops)
         WHERE first_name IS NOT NULL`,
      ],
      [
        'contacts_by_last_name',
        'ON contacts (team_id, folded_case(last_name) text_pattern_ops) WHERE last_name IS NOT NULL',
      ],
      ['inbox_labels_by_name', 'ON inbox_labels (inbox_id, folded_case(name))'],
    ] as const) {
      // An interrupted build leaves an invalid index with this name.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_folded`);
      const unique = name === 'inbox_labels_by_name' ? 'UNIQUE ' : '';
      await runner.query(`CREATE ${unique}INDEX CONCURRENTLY ${name}_folded ${definition}`);
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`ALTER INDEX ${name}_folded RENAME TO ${name}`);
    }
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
