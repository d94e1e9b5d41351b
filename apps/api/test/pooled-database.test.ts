import { expect, test } from 'vitest'
import { pdf } from './pdf.ts'
import { startTestServer } from './server.ts'
import { normalized, registerSubmitter } from './submitter.ts'

test('nothing is left in a session that a pooler would give to somebody else', async () => {
  const server = await startTestServer({
    environment: { RATE_LIMITS: 'on', DATABASE_POOL_SIZE: '2' },
  })
  const submitter = await registerSubmitter(server)
  await normalized(submitter.submit(pdf({ text: 'through a pooler' })))
  expect((await submitter.get('/api/batches')).status).toBe(200)

  const pool = await server.platform.orm.em.getDriver().getConnection().getNativeClient()
  const sessions = await Promise.all([pool.connect(), pool.connect()])
  for (const session of sessions) {
    const { rows } = await session.query(`
      select 'statement ' || name as left_behind from pg_prepared_statements
      union all
      select 'channel ' || pg_listening_channels()
      union all
      select 'lock ' || objid from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
      union all
      select 'setting ' || setting
      from (select current_setting('app.organization_id', true) as setting) current
      where setting <> ''`)
    expect(rows).toEqual([])
    session.release()
  }
  await server[Symbol.asyncDispose]()
})
