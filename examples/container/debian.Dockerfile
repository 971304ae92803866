# For Debian, Ubuntu and whatever else has glibc 2.17 or newer: nothing has to be installed.
#
#   npx cfa build examples/math.ts --target linux-x64 --outdir dist
#   docker build --file examples/container/debian.Dockerfile --tag math .
#   docker run --rm --read-only --network none math multiply --a 6 --b 7
#
# For Arm: --platform linux/arm64 --build-arg EXECUTABLE=dist/math-linux-arm64
FROM debian:bookworm-slim
ARG EXECUTABLE=dist/math-linux-x64
COPY --chmod=755 ${EXECUTABLE} /usr/local/bin/math
USER 65534:65534
# Where the executable does not start there will be no image.
RUN ["/usr/local/bin/math", "schema"]
ENTRYPOINT ["/usr/local/bin/math"]
