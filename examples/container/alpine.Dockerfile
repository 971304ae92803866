# For Alpine: the executable for musl, which needs the libraries of GCC.
#
#   npx cfa build examples/math.ts --target linux-x64-musl --outdir dist
#   docker build --file examples/container/alpine.Dockerfile --tag math .
#   docker run --rm --read-only --network none math multiply --a 6 --b 7
#
# For Arm: --platform linux/arm64 --build-arg EXECUTABLE=dist/math-linux-arm64-musl
FROM alpine:3.22
RUN apk add --no-cache libstdc++ libgcc
ARG EXECUTABLE=dist/math-linux-x64-musl
COPY --chmod=755 ${EXECUTABLE} /usr/local/bin/math
USER 65534:65534
# Where the executable does not start there will be no image.
RUN ["/usr/local/bin/math", "schema"]
ENTRYPOINT ["/usr/local/bin/math"]
