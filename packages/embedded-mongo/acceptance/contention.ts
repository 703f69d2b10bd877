import type { ClientSession, MongoClient } from 'mongodb';

type Account = { _id: number; balance: number; touched: number };

export type ContentionResult = { transfers: number; attempts: number; increments: number };

const startBalance = 1000;

/**
 * Transfers between a few accounts from many callers, with plain writes between them: money and touches must add up.
 */
export async function checkContention(
  client: MongoClient,
  options: { accounts: number; callers: number; rounds: number },
): Promise<ContentionResult> {
  const accounts = client.db('contention').collection<Account>('accounts');
  await accounts.drop();
  await accounts.insertMany(
    Array.from({ length: options.accounts }, (_, id) => ({ _id: id, balance: startBalance, touched: 0 })),
  );
  const result: ContentionResult = { transfers: 0, attempts: 0, increments: 0 };
  const pick = (): number => Math.floor(Math.random() * options.accounts);

  const transfer = async (session: ClientSession): Promise<void> => {
    result.attempts++;
    const [from, to] = [pick(), pick()];
    const source = await accounts.findOne({ _id: from }, { session });
    await accounts.updateOne({ _id: from }, { $set: { balance: source!.balance - 1 } }, { session });
    await accounts.updateOne({ _id: to }, { $inc: { balance: 1 } }, { session });
  };

  const caller = async (at: number): Promise<void> => {
    for (let round = 0; round < options.rounds; round++) {
      if (at % 4 === 0) {
        await accounts.updateOne({ _id: pick() }, { $inc: { touched: 1 } });
        result.increments++;
      } else {
        await client.withSession((session) => session.withTransaction(() => transfer(session)));
        result.transfers++;
      }
    }
  };
  await Promise.all(Array.from({ length: options.callers }, (_, at) => caller(at)));

  const rows = await accounts.find().toArray();
  const total = rows.reduce((sum, row) => sum + row.balance, 0);
  const touched = rows.reduce((sum, row) => sum + row.touched, 0);
  if (total !== options.accounts * startBalance)
    throw new Error(`the balances add up to ${total} instead of ${options.accounts * startBalance}`);
  if (touched !== result.increments)
    throw new Error(`${touched} touches are there, ${result.increments} were acknowledged`);
  return result;
}
