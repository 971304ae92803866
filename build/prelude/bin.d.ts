declare module "*.bin" {
  const bytes: Uint8Array;
  export default bytes;
}
