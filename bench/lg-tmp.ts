import { inFolder, startProduct } from './embedded.ts';
import { measureLarge } from './retrieval/large.ts';
await inFolder(async (folder) => {
  const product = await startProduct({ folder, environment: {} });
  console.log(await measureLarge(product.url, Number(process.argv[2])));
  await product.close();
});
process.exit(0);
