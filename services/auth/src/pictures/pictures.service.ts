import { Injectable } from '@nestjs/common';
import { limits, type getPicture, type PictureId, type uploadPicture } from '@parley/contracts';
import { SizeMeter } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { TurnQueue } from '@parley/platform/fair-turns';
import { jobScope, Mongo, type PersonScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pictureRows } from './picture.collection.ts';
import { squarePicture } from './square-picture.ts';

/** How long a picture that nobody shows is kept: a change can be taken back meanwhile. */
const keptMs = 24 * 3_600_000;
const everybodys = jobScope('a picture is seen by whoever was told its id');

@Injectable()
export class PicturesService {
  private readonly pictures: Rows<typeof pictureRows>;
  /** One at a time is decoded: sign-ins need threads and memory, too. */
  private readonly decoding = new TurnQueue({ all: 1 });

  constructor(
    mongo: Mongo,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.pictures = mongo.rows(pictureRows);
  }

  /** Nothing changes for anybody until the profile names it. Repeating with the same id returns what was stored. */
  async upload({
    scope,
    principal,
    query: { id },
    request,
  }: InputOf<typeof uploadPicture>): Promise<ResponseOf<typeof uploadPicture>> {
    const file = await buffer(pipeline(request, new SizeMeter(limits.pictureBytes), () => undefined));
    if (await this.pictures.within(scope).exists({ _id: id })) return { id };
    const turn = { flow: '', organisation: '', person: scope.userId };
    const webp = (await this.decoding.run(turn, () => squarePicture(file))).toString('base64');
    await this.work.run(principal, async (tx) => {
      const own = this.pictures.within(scope, tx);
      await own.deleteMany({ endsAt: { $ne: null }, _id: { $ne: id } });
      await own.insertOnce({ _id: id, userId: scope.userId, webp, endsAt: this.inADay() });
    });
    return { id };
  }

  async read({ params }: Pick<InputOf<typeof getPicture>, 'params'>): Promise<Uint8Array> {
    const row = await this.pictures.within(everybodys).findById(params.pictureId);
    if (!row) throw new Problem('platform.not-found');
    return Buffer.from(row.webp, 'base64');
  }

  /** Which one shows the person from now on; the one of before is kept for a day. 404 where there is no such picture. */
  async choose(scope: PersonScope, chosen: PictureId | null, tx: Transaction): Promise<void> {
    const own = this.pictures.within(scope, tx);
    await own.updateMany({ endsAt: null }, { $set: { endsAt: this.inADay() } });
    if (chosen !== null && !(await own.update({ _id: chosen }, { $set: { endsAt: null } })))
      throw new Problem('platform.not-found', { detail: 'There is no such picture any more. Upload it again.' });
  }

  private readonly inADay = (): Date => new Date(this.clock.now().getTime() + keptMs);
}
