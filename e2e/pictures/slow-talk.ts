import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient } from '@parley/testing/client';
import { startSlowModel } from '../slow-model.ts';

const people = ['grace.oduya', 'callum.reid', 'priya.raman', 'niall.kerr', 'elin.berg', 'ben.carver', 'hana.sato'];
const questions = [
  'Draft a reply to a customer whose order is late',
  'Compare the lead times of our four suppliers',
  'Summarise the feedback of this week in three points',
  'Write a checklist for the count of the stock',
];
const writesEveryMs = 500;

/** Some people of the demo are here and some answers are being written, for as long as it is open. */
export async function openSlowTalk(admin: ParleyClient, password: string): Promise<{ close(): void }> {
  const model = await startSlowModel();
  await admin.call('POST /api/chat/allowed-addresses', { body: { address: model.address } });
  const [provider] = (await admin.call('GET /api/chat/providers')).items;
  const { id: providerId, version } = provider!;
  await admin.call('PATCH /api/chat/providers/:providerId', {
    params: { providerId },
    body: { version, baseUrl: model.url },
  });
  const sockets = await Promise.all(
    people.map(async (handle, at) => {
      const person = new ParleyClient(admin.url);
      await person.signIn(`${handle}@brightwater.example`, password);
      person.orgId = admin.orgId;
      const question = questions[at];
      if (question !== undefined) await person.send(newId('conversation'), question);
      return person.socket();
    }),
  );
  await eventually(() => model.asked === questions.length, 'the model should be asked');
  const writing = setInterval(
    () => model.sayToAll('The next point is about the time that each of them needs. '),
    writesEveryMs,
  );
  return {
    close: () => {
      clearInterval(writing);
      for (const socket of sockets) socket.close();
      model.close();
    },
  };
}
