import { Mongo } from './index.ts';
import { describeRows } from './rows.spec-setup.ts';

describeRows('by the driver', (store) => Mongo.connect(store.freshDatabase()));
// Tests the link on the embedded store only: a MongoDB server has none and is reached through the driver.
if (process.env['MONGO_URL'] === undefined)
  describeRows("by the embedded store's own way", (store) =>
    Mongo.connect(store.freshDatabase(), { link: store.link! }),
  );
